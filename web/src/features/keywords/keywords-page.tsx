import { Badge, Button, FileButton, Group, SimpleGrid, Text, Modal, Table } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useState } from 'react'
import { formatKeywordFile, keywordFileName, parseKeywordFile } from '#contract/keywords/keyword-file.ts'
import {
  keywordCategories,
  keywordCategoryNames,
  type KeywordCategory,
  type Keywords,
} from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { useHasToken } from '../../shared/api/use-has-token.ts'
import { downloadFile } from '../../shared/download.ts'
import { formatNumber } from '../../shared/format.ts'
import { atomWithStorage, useAtom } from '../../shared/jotai.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { useKeywords } from '../../shared/keywords/use-keywords.ts'
import { useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { LoadingNotice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DirectionalText } from '../../shared/ui/directional-text.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { CategoryPanel } from './category-panel.tsx'
import classes from './keywords.module.css'

/** The chosen category persists across visits (audio-workflow specification, section 4). */
const categoryAtom = atomWithStorage<KeywordCategory>('awaz_keyword_category', 'threats', undefined, {
  getOnInit: true,
})

interface ReplaceDialogProps {
  /** The lists in the uploaded file; null if no file is chosen. */
  uploaded: Keywords | null
  current: Keywords
  onReplace: (keywords: Keywords) => void
  onClose: () => void
}

/** The keyword manager (audio-workflow specification, section 2). */
export function KeywordsPage() {
  const store = useKeywords(useUser().id)
  const [stored, choose] = useAtom(categoryAtom)
  const category = keywordCategories.find((known) => known === stored) ?? 'threats'
  const total = keywordCategories.reduce((sum, name) => sum + store.keywords[name].length, 0)

  const [uploaded, setUploaded] = useState<Keywords | null>(null)
  const isSignedIn = useHasToken()

  async function readUpload(file: File | null) {
    if (!file) return
    try {
      setUploaded(parseKeywordFile(await file.text()))
    } catch {
      toastError(t('Invalid file format'))
    }
  }

  async function replaceAll(keywords: Keywords) {
    const before = store.keywords
    setUploaded(null)
    const problem = await store.save(keywords)
    if (problem) toastError(problem)
    else toastUndo(t('Keywords replaced by the file'), () => void restore(before))
  }

  async function restore(keywords: Keywords) {
    const problem = await store.save(keywords)
    if (problem) toastError(problem)
  }

  return (
    <Page
      title={t('Keyword Settings')}
      lead={t('{total, plural, one {# keyword} other {# keywords}} in all. Active category: {name}.', {
        total,
        name: keywordCategoryNames[category].name,
      })}
      actions={
        <Group gap="xs">
          {!isSignedIn && <Badge color="gray">{t('Not Logged In')}</Badge>}
          {store.isOffline && <Badge color="amber">{t('Offline Mode')}</Badge>}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.5} />}
            onClick={() => downloadFile(keywordFileName, formatKeywordFile(store.keywords), 'application/json')}
          >
            {t('Download')}
          </Button>
          <FileButton onChange={(file) => void readUpload(file)} accept="application/json,.json">
            {(props) => (
              <Button variant="default" leftSection={<IconUpload size={16} stroke={1.5} />} {...props}>
                {t('Upload')}
              </Button>
            )}
          </FileButton>
        </Group>
      }
    >
      {store.isLoading ? (
        <LoadingNotice label={t('Loading your keywords')} />
      ) : (
        <>
          <SimpleGrid
            minColWidth={208}
            autoFlow="auto-fit"
            spacing="sm"
            mb={20}
            role="group"
            aria-label={t('Categories')}
          >
            {keywordCategories.map((name) => (
              <CategoryButton
                key={name}
                category={name}
                count={store.keywords[name].length}
                isActive={name === category}
                onChoose={() => choose(name)}
              />
            ))}
          </SimpleGrid>
          <CategoryPanel key={category} category={category} store={store} />
          <ReplaceDialog
            uploaded={uploaded}
            current={store.keywords}
            onReplace={(keywords) => void replaceAll(keywords)}
            onClose={() => setUploaded(null)}
          />
        </>
      )}
    </Page>
  )
}

interface CategoryButtonProps {
  category: KeywordCategory
  count: number
  isActive: boolean
  onChoose: () => void
}

function CategoryButton({ category, count, isActive, onChoose }: CategoryButtonProps) {
  const { name, pashto, urdu } = keywordCategoryNames[category]
  return (
    <button
      type="button"
      className={classes.category}
      aria-pressed={isActive}
      data-category={category}
      onClick={onChoose}
    >
      <Group component="span" gap={10} wrap="nowrap">
        <CategoryIcon category={category} size={20} />
        <Text span fw={600}>
          {name}
        </Text>
        <Text span ml="auto" fw={600}>
          {formatNumber(count)}
        </Text>
      </Group>
      <Group component="span" align="baseline" wrap="nowrap" c="dimmed" fz="sm">
        <DirectionalText as="span" language="ps">
          {pashto}
        </DirectionalText>
        <DirectionalText as="span" language="ur">
          {urdu}
        </DirectionalText>
      </Group>
    </button>
  )
}

/** Asks before a file replaces all lists, and compares the number of keywords now and in the file. */
function ReplaceDialog({ uploaded, current, onReplace, onClose }: ReplaceDialogProps) {
  return (
    <Modal opened={uploaded !== null} onClose={onClose} title={t('Replace all keywords?')}>
      <Text mb="md">{t('The file replaces the keywords of all four categories.')}</Text>
      <Table mb="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Category')}</Table.Th>
            <Table.Th ta="end">{t('Now')}</Table.Th>
            <Table.Th ta="end">{t('In the file')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keywordCategories.map((category) => (
            <Table.Tr key={category}>
              <Table.Th scope="row">{keywordCategoryNames[category].name}</Table.Th>
              <Table.Td ta="end">{formatNumber(current[category].length)}</Table.Td>
              <Table.Td ta="end">{formatNumber(uploaded?.[category].length ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <DialogActions onCancel={onClose} gap="md">
        <Button onClick={() => uploaded && onReplace(uploaded)}>{t('Replace')}</Button>
      </DialogActions>
    </Modal>
  )
}
