import { Button, Menu, Tooltip } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { recordings } from '#contract/endpoints/recordings.ts'
import { hasConfidences } from '#contract/doubt.ts'
import { doubtChoices, type DoubtChoice } from '#contract/formats/lines.ts'
import { transcriptFormats, type TranscriptFormat } from '#contract/transcript-formats.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { callForFile } from '../../../shared/api/client.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { toastError } from '../../../shared/toast.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useCopied } from '../../../shared/use-copied.ts'
import classes from './text-actions.module.css'

/** Height of the buttons. */
const buttonPx = 30

interface TextActionsProps {
  kind: 'transcription' | 'translation'
  text: string
  recording: RecordingDetails
  /** Set for a translation: the export then carries it beside the original. */
  targetLanguage?: string
  repeatLabel: string
  isBusy: boolean
  onRepeat: () => void
}

const formatLabels: Record<TranscriptFormat, string> = {
  docx: 'Word (.docx)',
  dialogue: 'Dialogue (.txt)',
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

/** Copies, downloads and repeats a transcript or a translation. */
export function TextActions(props: TextActionsProps) {
  const { kind, text, recording, targetLanguage, repeatLabel, isBusy, onRepeat } = props
  const { isCopied, copy } = useCopied(() => toastError('The text could not be copied'))
  const [doubt, setDoubt] = useState<DoubtChoice>('none')
  const isMeasured = recording.transcription !== null && hasConfidences(recording.transcription)
  const name = `${baseName(recording.name)}-${targetLanguage ?? kind}`

  const { mutate: download } = useMutation({
    networkMode: 'always',
    mutationFn: async (format: TranscriptFormat) => {
      if (format === 'txt' && doubt === 'none') return downloadFile(`${name}.txt`, text)
      const query = { format, doubt, ...(targetLanguage && { target_language: targetLanguage }) }
      downloadFile(`${name}.${format}`, await callForFile(recordings.export, { params: { id: recording.id }, query }))
    },
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, 'Network error. Please try again.'))
    },
  })

  return (
    <Button.Group>
      <IconButton
        label={isCopied ? 'Copied' : `Copy ${kind}`}
        variant="default"
        size={buttonPx}
        onClick={() => void copy(text)}
      >
        {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={17} stroke={1.5} />}
      </IconButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Download ${kind}`} variant="default" size={buttonPx}>
            <IconDownload size={17} stroke={1.5} />
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
            <Menu.Item key={format} onClick={() => download(format)}>
              {formatLabels[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={repeatLabel}>
        <Button
          variant="default"
          size="xs"
          h={buttonPx}
          px={8}
          aria-label={repeatLabel}
          disabled={isBusy}
          classNames={{ section: classes.section ?? '' }}
          leftSection={<IconRefresh size={16} stroke={1.5} />}
          onClick={onRepeat}
        >
          <span className={classes.repeatLabel}>{repeatLabel}</span>
        </Button>
      </Tooltip>
    </Button.Group>
  )
}

function toDoubt(value: string): DoubtChoice {
  return doubtChoices.find((choice) => choice === value) ?? 'none'
}
