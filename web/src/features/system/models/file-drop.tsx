import { Alert, Button, Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import IconFileUpload from '@tabler/icons-react/dist/esm/icons/IconFileUpload.mjs'
import '@mantine/dropzone/styles.css'
import { useRef } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatSize } from '../../../shared/format.ts'
import uploadClasses from '../../../shared/uploads/uploads.module.css'
import classes from './models.module.css'

interface FileDropProps {
  onFiles: (files: File[]) => void
  /** Why nothing can be uploaded; null if uploads are possible. */
  problem: string | null
  freeBytes: number
}

/** Accepts a model's file or folder, dropped or selected. */
export function FileDrop({ onFiles, problem, freeBytes }: FileDropProps) {
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  if (problem) {
    return (
      <Alert color="amber" title={t('Nothing can be uploaded')}>
        {problem}
      </Alert>
    )
  }
  return (
    <>
      <Dropzone
        onDrop={onFiles}
        multiple
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        className={`${uploadClasses.drop} ${classes.drop}`}
        tabIndex={-1}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        <div className={`${uploadClasses.dropInner} ${classes.dropInner}`}>
          <IconFileUpload size={28} stroke={1.5} aria-hidden />
          <Text fw={620} fz="lg">
            {t('Drop a model here')}
          </Text>
          <Text c="dimmed" size="sm">
            {t('A ggml or GGUF file, or a folder with ONNX, safetensors or CTranslate2 weights.')}
            <br />
            {t('{size} are free.', { size: formatSize(freeBytes) })}
          </Text>
          <Group gap="xs" justify="center">
            <Button onClick={() => fileInput.current?.click()}>{t('Choose files')}</Button>
            <Button variant="default" onClick={() => folderInput.current?.click()}>
              {t('Choose a folder')}
            </Button>
          </Group>
        </div>
      </Dropzone>
      <HiddenFileInput label={t('Files of a model')} inputRef={fileInput} onFiles={onFiles} />
      <HiddenFileInput label={t('Folder of a model')} inputRef={folderInput} onFiles={onFiles} isFolder />
    </>
  )
}

interface HiddenFileInputProps {
  label: string
  inputRef: React.RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
  isFolder?: boolean
}

/** A file input that only its button opens. */
function HiddenFileInput({ label, inputRef, onFiles, isFolder = false }: HiddenFileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      hidden
      multiple
      aria-label={label}
      {...(isFolder && { webkitdirectory: '' })}
      onChange={(event) => {
        onFiles([...(event.currentTarget.files ?? [])])
        // Selecting the same files again must fire an event too.
        event.currentTarget.value = ''
      }}
    />
  )
}
