import { Button, Checkbox, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import { useState, useEffect, useRef } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { transcriptFormats, type TranscriptFormat } from '#contract/transcript-formats.ts'
import { callForFile } from '../../shared/api/client.ts'
import { downloadFile } from '../../shared/download.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { BatchDialog } from './batch-dialog.tsx'
import { ErrorText } from './error-text.tsx'
import { TargetLanguagesPicker } from './target-languages-picker.tsx'

interface BatchActionsProps {
  selection: LibrarySelection
  /** How many recordings are selected. */
  count: number
}

type Action = 'transcribe' | 'translate' | 'download'

const actions = [
  { action: 'transcribe', label: t('Transcribe…'), icon: IconFileText },
  { action: 'translate', label: t('Translate…'), icon: IconLanguage },
  { action: 'download', label: t('Download…'), icon: IconDownload },
] as const

interface DownloadDialogProps {
  selection: LibrarySelection
  count: number
  isOpen: boolean
  onClose: () => void
}

/** Labels, worded as in the workspace's menu. */
const formatLabels: Record<TranscriptFormat, { label: string; description: string }> = {
  docx: { label: t('Word (.docx)'), description: t('Both languages side by side, to edit') },
  dialogue: { label: t('Dialogue (.txt)'), description: t('Who said what and when, in order of time') },
  txt: { label: t('Text (.txt)'), description: t('Speaker by speaker') },
  srt: { label: t('Subtitles (.srt)'), description: t('For video players') },
  vtt: { label: t('Web subtitles (.vtt)'), description: t('For web pages') },
  json: { label: t('Data (.json)'), description: t('Words, times, models and edits, for programs') },
}

/** Buttons that transcribe, translate and download the selected recordings. */
export function BatchActions({ selection, count }: BatchActionsProps) {
  const [open, setOpen] = useState<Action | null>(null)
  const close = () => setOpen(null)
  const shared = { selection, count, onClose: close }
  return (
    <>
      {actions.map(({ action, label, icon: Icon }) => (
        <Button
          key={action}
          variant="default"
          size="xs"
          leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpen(action)}
        >
          {label}
        </Button>
      ))}
      <BatchDialog
        {...shared}
        isOpen={open === 'transcribe' || open === 'translate'}
        hasTranscription={open !== 'translate'}
        onStarted={close}
      />
      <DownloadDialog {...shared} isOpen={open === 'download'} />
    </>
  )
}

/** Downloads the transcripts of the selected recordings as a ZIP archive. */
function DownloadDialog({ isOpen, ...props }: DownloadDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      title={t('Download {count, plural, one {# recording} other {# recordings}}', { count: props.count })}
      size="lg"
    >
      {isOpen && <DownloadForm {...props} />}
    </Modal>
  )
}

function DownloadForm({ selection, onClose }: Omit<DownloadDialogProps, 'isOpen'>) {
  const [formats, setFormats] = useState<TranscriptFormat[]>(['docx'])
  const [targets, setTargets] = useState<string[]>([])
  const stop = useRef<AbortController>(null)
  const download = useMutation({
    mutationFn: () => {
      stop.current = new AbortController()
      const body = { selection, formats, target_languages: targets }
      return callForFile(batches.export, { body, signal: stop.current.signal })
    },
    onSuccess: (archive) => {
      downloadFile('awaz-transcripts.zip', archive)
      onClose()
    },
  })

  // Runs however the dialog is closed, by a button or by Escape.
  useEffect(() => () => stop.current?.abort(), [])

  return (
    <Stack>
      <Checkbox.Group
        label={t('Formats')}
        value={formats}
        onChange={(chosen) => setFormats(transcriptFormats.filter((format) => chosen.includes(format)))}
      >
        <SimpleGrid minColWidth={192} autoFlow="auto-fit" spacing="sm" mt="xs">
          {transcriptFormats.map((format) => (
            <Checkbox key={format} value={format} {...formatLabels[format]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <TargetLanguagesPicker label={t('With the translations to')} targets={targets} onChange={setTargets} />
      <Text size="sm" c="dimmed">
        {t('One ZIP file. Its manifest.csv lists every recording, also those without a transcript or a translation.')}
      </Text>
      {download.isPending && (
        <Text size="sm" role="status">
          {t('The files are being written. Closing this window stops it.')}
        </Text>
      )}
      <ErrorText error={download.error} />
      <DialogActions onCancel={onClose} mt="xs">
        <Button loading={download.isPending} disabled={formats.length === 0} onClick={() => download.mutate()}>
          {t('Download')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
