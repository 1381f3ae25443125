import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { maxWatchWords, WatchedTexts, WatchListInput, type WatchList } from '#contract/alerts.ts'
import { library } from '#contract/endpoints/library.ts'
import { keywordCategories, keywordCategoryNames, maxKeywordLength } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { saveWatchList, toInput } from './use-watch-lists.ts'

interface WatchListDialogProps {
  /** Undefined for a new one. */
  list: WatchList | undefined
  onClose: () => void
}

const newList: WatchListInput = {
  name: '',
  categories: [],
  words: [],
  texts: 'both',
  threshold: 1,
  tags: [],
  is_on: true,
}
const separators = [',', '،', ';', '؛']
const textChoices = [
  { value: 'both', label: t('The original and its translations') },
  { value: 'original', label: t('The original') },
  { value: 'translation', label: t('Translations') },
]

/** Adds a watch list, or changes one. */
export function WatchListDialog({ list, onClose }: WatchListDialogProps) {
  const client = useQueryClient()
  const { data: facets } = useQuery({ queryKey: ['library', 'facets'], queryFn: () => call(library.facets) })
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues: list ? toInput(list) : newList,
    validate: (values) => {
      const errors = WatchListInput.safeParse(values).error?.issues ?? []
      return Object.fromEntries(errors.map(({ path, message }) => [String(path[0] ?? 'name'), message]))
    },
    send: (values) => saveWatchList(list?.id, values),
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({ queryKey: ['alerts'] })
    },
  })
  return (
    <Modal opened onClose={onClose} title={list ? t('Change the watch list') : t('Add a watch list')} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {generalError && <Alert color="red">{generalError}</Alert>}
          <TextInput label={t('Name')} data-autofocus required {...form.getInputProps('name')} />
          <Checkbox.Group
            label={t('Keyword categories')}
            description={t('Your keywords, as they are when a job finishes')}
            {...form.getInputProps('categories')}
          >
            <Group gap="0.75rem 1.25rem" align="stretch" mt="xs">
              {keywordCategories.map((category) => (
                <Checkbox
                  key={category}
                  value={category}
                  label={
                    <Group component="span" gap={6} wrap="nowrap" display="inline-flex">
                      <CategoryIcon category={category} size={16} />
                      {keywordCategoryNames[category].name}
                    </Group>
                  }
                />
              ))}
            </Group>
          </Checkbox.Group>
          <TagsInput
            label={t('Words')}
            description={t('Besides the categories. Any spelling that the keyword search accepts is found.')}
            placeholder={form.values.words.length === 0 ? t('One or several, parted by commas') : ''}
            maxTags={maxWatchWords}
            maxLength={maxKeywordLength}
            splitChars={separators}
            acceptValueOnBlur
            {...form.getInputProps('words')}
          />
          <Select
            label={t('Texts')}
            data={textChoices}
            {...form.getInputProps('texts')}
            onChange={(value) => form.setFieldValue('texts', WatchedTexts.parse(value))}
          />
          <TagsInput
            label={t('Recordings with any of these tags')}
            description={t('Leave it empty to watch all recordings')}
            data={facets?.tags.map(({ tag }) => tag) ?? []}
            splitChars={separators}
            acceptValueOnBlur
            {...form.getInputProps('tags')}
          />
          <NumberInput
            label={t('Alert from this many hits in a recording')}
            min={1}
            max={1000}
            allowDecimal={false}
            w="12rem"
            maw="100%"
            {...form.getInputProps('threshold')}
          />
          <Text size="sm" c="dimmed">
            {t('It applies to jobs that finish from now on. You can scan your library for earlier ones afterwards.')}
          </Text>
          <DialogActions onCancel={onClose} gap="md">
            <Button type="submit" loading={isBusy}>
              {list ? t('Save') : t('Add')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
