import { Button, Modal, MultiSelect, Switch, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { translationLanguages } from '#contract/languages.ts'
import { formatSize } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import adminClasses from '../../admin/admin.module.css'
import type { ImportInput } from './use-model-upload.ts'

/** What is to be imported: what was picked in the browser, or what lies in the import folder. */
export interface ImportSource {
  name: string
  files: number
  sizeBytes: number
}

interface ImportDialogProps {
  source: ImportSource | undefined
  submitLabel: string
  onSubmit: (wish: ImportInput) => void
  onClose: () => void
}

/** Asks what the files of a model do not say themselves. */
export function ImportDialog({ source, submitLabel, onSubmit, onClose }: ImportDialogProps) {
  return (
    <Modal opened={source !== undefined} onClose={onClose} title="Add a model" size="lg">
      {source && <ImportForm source={source} submitLabel={submitLabel} onSubmit={onSubmit} onClose={onClose} />}
    </Modal>
  )
}

const languageOptions = Object.keys(translationLanguages).map((code) => ({ value: code, label: languageName(code) }))

function ImportForm({ source, submitLabel, onSubmit, onClose }: ImportDialogProps & { source: ImportSource }) {
  const [name, setName] = useState(source.name)
  const [languages, setLanguages] = useState<string[]>([])
  const [licence, setLicence] = useState('')
  const [isQuantized, setIsQuantized] = useState(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit({
      kind: 'import',
      import_name: source.name,
      quantize: isQuantized,
      ...(name.trim() && { name: name.trim() }),
      ...(languages.length > 0 && { languages }),
      ...(licence.trim() && { licence: licence.trim() }),
    })
  }

  return (
    <form onSubmit={submit} className={adminClasses.form}>
      <Text c="dimmed" size="sm">
        {source.name}: {source.files === 1 ? '1 file' : `${source.files} files`}, {formatSize(source.sizeBytes)}. The
        files say which kind of model it is: ggml, GGUF, ONNX, or Whisper as safetensors or CTranslate2, which is
        converted.
      </Text>
      <TextInput
        label="Name"
        description="What people see."
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <MultiSelect
        label="Languages"
        description="What it is asked for. Empty: the languages that its files name."
        data={languageOptions}
        value={languages}
        onChange={setLanguages}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear languages' }}
      />
      <TextInput
        label="Licence"
        description="So that everybody knows what it may be used for. Empty: not known."
        value={licence}
        maxLength={200}
        onChange={(event) => setLicence(event.currentTarget.value)}
      />
      <Switch
        label="Store with 8 bits"
        description="For Whisper: half the size and memory, a quarter less time, the same errors."
        checked={isQuantized}
        onChange={(event) => setIsQuantized(event.currentTarget.checked)}
      />
      <div className={adminClasses.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">{submitLabel}</Button>
      </div>
    </form>
  )
}
