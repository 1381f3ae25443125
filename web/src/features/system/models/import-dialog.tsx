import { Button, Modal, MultiSelect, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { translationLanguages } from '#contract/languages.ts'
import { t } from '#contract/texts/t.ts'
import { formatSize } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { Form } from '../../../shared/ui/form.tsx'
import type { ImportInput } from './use-model-upload.ts'

/** What is imported: files selected in the browser, or an entry of the import folder. */
export interface ImportSource {
  name: string
  files: number
  sizeBytes: number
}

interface ImportDialogProps {
  source: ImportSource | undefined
  submitLabel: string
  onSubmit: (input: ImportInput) => void
  onClose: () => void
}

/** Asks for the facts that the files of a model do not contain. */
export function ImportDialog({ source, submitLabel, onSubmit, onClose }: ImportDialogProps) {
  return (
    <Modal opened={source !== undefined} onClose={onClose} title={t('Add a model')} size="lg">
      {source && <ImportForm source={source} submitLabel={submitLabel} onSubmit={onSubmit} onClose={onClose} />}
    </Modal>
  )
}

const languageOptions = Object.keys(translationLanguages).map((code) => ({ value: code, label: languageName(code) }))

function ImportForm({ source, submitLabel, onSubmit, onClose }: ImportDialogProps & { source: ImportSource }) {
  const form = useForm({
    initialValues: { name: source.name, languages: [] as string[], licence: '', quantize: false },
  })

  /** Leaves out empty fields: the files then determine the values. */
  function submit({ name, languages, licence, quantize }: typeof form.values) {
    onSubmit({
      kind: 'import',
      import_name: source.name,
      quantize,
      ...(name.trim() && { name: name.trim() }),
      ...(languages.length > 0 && { languages }),
      ...(licence.trim() && { licence: licence.trim() }),
    })
  }

  return (
    <Form onSubmit={form.onSubmit(submit)}>
      <Text c="dimmed" size="sm">
        {t(
          '{name}: {files, plural, one {# file} other {# files}}, {size}. The files say which kind of model it is: ggml, GGUF, ONNX, or Whisper as safetensors or CTranslate2, which is converted.',
          { name: source.name, files: source.files, size: formatSize(source.sizeBytes) },
        )}
      </Text>
      <TextInput
        label={t('Name')}
        description={t('What people see.')}
        maxLength={100}
        {...form.getInputProps('name')}
        data-autofocus
      />
      <MultiSelect
        label={t('Languages')}
        description={t('What it is asked for. Empty: the languages that its files name.')}
        data={languageOptions}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Clear languages') }}
        {...form.getInputProps('languages')}
      />
      <TextInput
        label={t('Licence')}
        description={t('So that everybody knows what it may be used for. Empty: not known.')}
        maxLength={200}
        {...form.getInputProps('licence')}
      />
      <Switch
        label={t('Store with 8 bits')}
        description={t('For Whisper: half the size and memory, a quarter less time, the same errors.')}
        {...form.getInputProps('quantize', { type: 'checkbox' })}
      />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit">{submitLabel}</Button>
      </DialogActions>
    </Form>
  )
}
