import { Button, Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useState } from 'react'
import { recordings } from '#contract/endpoints/recordings.ts'
import { hasConfidences } from '#contract/doubt.ts'
import { doubtChoices, type DoubtChoice } from '#contract/formats/lines.ts'
import { transcriptFormats, type TranscriptFormat } from '#contract/transcript-formats.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { callForFile } from '../../../shared/api/client.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { toastError } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useCopied } from '../../../shared/use-copied.ts'

interface TextActionsProps {
  what: 'transcription' | 'translation'
  text: string
  recording: RecordingDetails
  /** Set for a translation: the export then carries it beside the original. */
  targetLanguage?: string
  againLabel: string
  isBusy: boolean
  onAgain: () => void
}

const formatLabels: Record<TranscriptFormat, string> = {
  txt: 'Text (.txt)',
  srt: 'Subtitles (.srt)',
  vtt: 'Web subtitles (.vtt)',
  json: 'Data (.json)',
}

const doubtLabels: Record<DoubtChoice, string> = {
  none: 'Text as it is',
  mark: 'Uncertain words marked [?]',
  only: 'Uncertain lines only',
}

/** Copy, download and do again: the same three for transcript and translation. */
export function TextActions(props: TextActionsProps) {
  const { what, text, recording, targetLanguage, againLabel, isBusy, onAgain } = props
  const { isCopied, copy } = useCopied(() => toastError('The text could not be copied'))
  const [doubt, setDoubt] = useState<DoubtChoice>('none')
  const isMeasured = recording.transcription !== null && hasConfidences(recording.transcription)
  const name = `${baseName(recording.name)}-${targetLanguage ?? what}`

  async function download(format: TranscriptFormat) {
    if (format === 'txt' && doubt === 'none') return downloadFile(`${name}.txt`, text)
    try {
      const query = { format, doubt, ...(targetLanguage && { target_language: targetLanguage }) }
      downloadFile(`${name}.${format}`, await callForFile(recordings.export, { params: { id: recording.id }, query }))
    } catch (error) {
      toastError(messageOf(error, 'Network error. Please try again.'))
    }
  }

  return (
    <Button.Group>
      <IconButton
        label={isCopied ? 'Copied' : `Copy ${what}`}
        variant="default"
        size={34}
        onClick={() => void copy(text)}
      >
        {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.5} />}
      </IconButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Download ${what}`} variant="default" size={34}>
            <IconDownload size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {isMeasured && (
            <>
              <Menu.RadioGroup value={doubt} onChange={(value) => setDoubt(toDoubt(value))}>
                {doubtChoices.map((choice) => (
                  <Menu.RadioItem key={choice} value={choice}>
                    {doubtLabels[choice]}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
              <Menu.Divider />
            </>
          )}
          {transcriptFormats.map((format) => (
            <Menu.Item key={format} onClick={() => void download(format)}>
              {formatLabels[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        size="xs"
        h={34}
        loading={isBusy}
        leftSection={<IconRefresh size={16} stroke={1.5} />}
        onClick={onAgain}
      >
        {againLabel}
      </Button>
    </Button.Group>
  )
}

function toDoubt(value: string): DoubtChoice {
  return doubtChoices.find((choice) => choice === value) ?? 'none'
}
