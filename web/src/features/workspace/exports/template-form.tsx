import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { reportTemplates } from '#contract/endpoints/report-templates.ts'
import { doubtChoices } from '#contract/formats/lines.ts'
import {
  maxReportHeading,
  maxReportTemplateName,
  maxReportText,
  reportFormats,
  type ReportTemplate,
  type ReportTemplateInput,
} from '#contract/report-templates.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../../shared/form/form-errors.ts'
import { useMutationForm } from '../../../shared/form/use-mutation-form.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { Form } from '../../../shared/ui/form.tsx'
import {
  canHaveNotes,
  canMarkHits,
  doubtLabels,
  reportFormatNames,
  useReportTemplateActions,
} from './report-templates.ts'

interface TemplateFormProps {
  /** The initial values; `id` is set to change an existing template. */
  initial: ReportTemplateInput & { id?: string }
  /** The user's templates, to check for a name already in use. */
  templates: ReportTemplate[]
  onCancel: () => void
  onSaved: (saved: ReportTemplate) => void
}

/** Changes a report template, or creates one. */
export function TemplateForm({ initial: { id, ...initialValues }, templates, onCancel, onSaved }: TemplateFormProps) {
  const { save } = useReportTemplateActions()
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues,
    validate: (values) => validateInput(reportTemplates.save.body, values),
    send: (values) => save.mutateAsync({ ...values, ...(id !== undefined && { id }) }),
    onSuccess: onSaved,
  })
  const isReplacing = id === undefined && templates.some(({ name }) => name === form.values.name.trim())
  return (
    <Form onSubmit={submit} gap="md">
      {generalError && <Alert color="red">{generalError}</Alert>}
      <Group align="flex-start" grow gap="md" preventGrowOverflow={false}>
        <TextInput
          label={t('Name')}
          description={isReplacing ? t('The template of this name is replaced.') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data-autofocus
          required
          miw="14rem"
          maxLength={maxReportTemplateName}
          {...form.getInputProps('name')}
        />
        <Select
          label={t('Format')}
          miw="12rem"
          data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
          allowDeselect={false}
          {...form.getInputProps('format')}
        />
      </Group>
      <Contents form={form} />
      <Texts form={form} />
      <DialogActions onCancel={onCancel}>
        <Button type="submit" loading={isBusy}>
          {t('Save')}
        </Button>
      </DialogActions>
    </Form>
  )
}

type TemplateFields = ReturnType<typeof useMutationForm<Omit<ReportTemplateInput, 'id'>, ReportTemplate>>['form']

function Contents({ form }: { form: TemplateFields }) {
  const { format } = form.values
  const part = (name: 'translation' | 'hits' | 'notes' | 'facts', label: string, isPossible = true) => (
    <Checkbox
      label={label}
      checked={isPossible && form.values[name]}
      disabled={!isPossible}
      onChange={({ currentTarget }) => form.setFieldValue(name, currentTarget.checked)}
    />
  )
  return (
    <Fieldset legend={t('Contents')} mx={0} p="md" pt="xs">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="xs">
          {part('translation', t('Translation'))}
          {part('hits', t('Keywords marked'), canMarkHits(format))}
          {part('notes', t('Notes'), canHaveNotes(format))}
          {part('facts', t('Technical data'))}
        </SimpleGrid>
        <Select
          label={t('Uncertain words')}
          data={doubtChoices.map((value) => ({ value, label: doubtLabels[value] }))}
          allowDeselect={false}
          w="16rem"
          maw="100%"
          {...form.getInputProps('doubt')}
        />
      </Stack>
    </Fieldset>
  )
}

function Texts({ form }: { form: TemplateFields }) {
  const area = { rows: 3, resize: 'vertical' as const, maxLength: maxReportText }
  return (
    <Fieldset legend={t('Texts around the words')} mx={0} p="md" pt="xs">
      <Stack gap="md">
        <TextInput
          label={t('Heading')}
          description={t('Without one, the name of the recording is the heading')}
          maxLength={maxReportHeading}
          {...form.getInputProps('heading')}
        />
        <Textarea label={t('Introduction')} {...area} {...form.getInputProps('introduction')} />
        <Textarea label={t('Closing text')} {...area} {...form.getInputProps('closing')} />
        <Text size="sm" c="dimmed">
          {rich(
            '{recording} becomes the name of the recording, {date} the time when the report is made, and {person} your name.',
            {
              recording: <Placeholder>{'{recording}'}</Placeholder>,
              date: <Placeholder>{'{date}'}</Placeholder>,
              person: <Placeholder>{'{person}'}</Placeholder>,
            },
          )}
        </Text>
      </Stack>
    </Fieldset>
  )
}

function Placeholder({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr">
      <code>{children}</code>
    </bdi>
  )
}
