import { Button, Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { clipFormats, type ClipChannel, type ClipFormat } from '#contract/clip.ts'
import { t } from '#contract/texts/t.ts'
import { timedLine } from '#contract/formats/direction.ts'
import { audio } from '#contract/endpoints/audio.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import { toastInfo, toastError } from '../../../../shared/toast.tsx'
import { baseName, downloadFile } from '../../../../shared/download.ts'
import { formatClock } from '../../../../shared/format.ts'
import { messageOf } from '../../../../shared/api/api-error.ts'
import { callForFile, send } from '../../../../shared/api/client.ts'
import type { ConversationLine } from '../../state/conversation-line.ts'
import { useDesk } from '../../state/desk-context.ts'
import { useSpeakers } from '../../speakers/recording-speakers.ts'
import classes from '../listening.module.css'
import { useListeningSettings } from '../listening-settings.ts'
import { byteRangeOf, makeWav, readWavLayout } from './wav.ts'

const channels: { value: ClipChannel | 'both'; label: string }[] = [
  { value: 'both', label: t('Both') },
  { value: 'left', label: t('Left') },
  { value: 'right', label: t('Right') },
]

interface ClipRange {
  start: number
  end: number
}

/** More than any program writes before the samples. */
const headBytes = 64 * 1024

interface ClipKind {
  format: ClipFormat
  /** Set if only one of two channels is saved. */
  channel?: ClipChannel
}

interface Range {
  start: number
  end: number
}

const formats = clipFormats.toReversed().map((format) => ({ value: format, label: format.toUpperCase() }))

interface ClipControlsProps {
  /** Returns the repeated part, the selection or the line; undefined if there is none. */
  rangeAtHand: () => ClipRange | undefined
  isStereo: boolean
}

/** Saves a part of the recording as a file. */
export function ClipControls({ rangeAtHand, isStereo }: ClipControlsProps) {
  const { listening, change } = useListeningSettings()
  const { save, isSaving } = useSaveClip()
  // Not stored: a clip without one of the channels must be chosen each time.
  const [channel, setChannel] = useState<ClipChannel | 'both'>('both')

  function saveRange() {
    const range = rangeAtHand()
    if (!range) toastInfo(t('Go to a line, or select what is to be saved.'))
    else void save(range, { format: listening.clipFormat, ...(channel !== 'both' && { channel }) })
  }

  return (
    <section className={classes.section} aria-label={t('Clip')}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          loading={isSaving}
          // The button must not clear the selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={saveRange}
        >
          {t('Save clip')}
        </Button>
        <SegmentedControl
          size="xs"
          aria-label={t('Format of the clip')}
          data={formats}
          value={listening.clipFormat}
          onChange={(clipFormat) => change({ clipFormat })}
        />
      </Group>
      {isStereo && (
        <Group gap="0.25rem 0.75rem" justify="space-between" c="dimmed" fz="xs">
          <span id="clip-channels">{t('Channels of the clip')}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby="clip-channels"
            data={channels}
            value={channel}
            onChange={setChannel}
          />
        </Group>
      )}
    </section>
  )
}

/** Returns a function that saves a part of the recording: the sound as a file, and the lines with translations as text. */
function useSaveClip() {
  const { recording, lines } = useDesk()
  const { describe } = useSpeakers()
  const [isSaving, setIsSaving] = useState(false)

  async function save(range: ClipRange, kind: ClipKind) {
    setIsSaving(true)
    const name = `${baseName(recording.name)} ${fileTime(range.start)}-${fileTime(range.end)}`
    try {
      downloadFile(`${name}.${kind.format}`, await cutClip(recording.id, range, kind))
      const spoken = lines.filter(({ segment, start, end }) => segment && start < range.end && end > range.start)
      const nameOf = ({ segment }: ConversationLine) => describe(segment?.speaker, segment?.channel).name || null
      if (spoken.length > 0) downloadFile(`${name}.txt`, writeLines(spoken, nameOf))
    } catch (error) {
      toastError(messageOf(error, t('The clip could not be made. Please try again.')))
    } finally {
      setIsSaving(false)
    }
  }
  return { save, isSaving }
}

function writeLines(lines: ConversationLine[], nameOf: (line: ConversationLine) => string | null): string {
  const texts = lines.map((line) => {
    const { start, segment, language, translated } = line
    const original = timedLine(formatClock(start), nameOf(line), segment?.text ?? '', language)
    return translated?.translated_text ? `${original}\n    ${translated.translated_text}` : original
  })
  return `${texts.join('\n')}\n`
}

/** Returns for example `1.02` for 62 seconds, since file names cannot contain colons. */
function fileTime(seconds: number): string {
  return formatClock(seconds).replaceAll(':', '.')
}

/**
 * Returns a part of a recording as a file. For a WAV clip with all channels from a WAV recording, only the samples needed are fetched and
 * copied unchanged; everything else is made by the server. Throws ApiError.
 */
async function cutClip(id: string, range: Range, { format, channel }: ClipKind): Promise<Blob> {
  const copied = format === 'wav' && !channel ? await copySamples(id, range) : undefined
  if (copied) return copied
  const query = { from: range.start, to: range.end, format, channel }
  return callForFile(recordings.clip, { params: { id }, query })
}

/** Returns undefined if the recording is not a WAV file. */
async function copySamples(id: string, range: Range): Promise<Blob | undefined> {
  const layout = readWavLayout(await fetchBytes(id, { from: 0, to: headBytes }))
  if (!layout) return undefined
  const bytes = byteRangeOf(layout, range)
  const samples = bytes.to > bytes.from ? await fetchBytes(id, bytes) : new ArrayBuffer(0)
  return makeWav(layout.format, samples)
}

/** Fetches bytes of a recording's file, `to` exclusive; fewer if it ends before that. */
async function fetchBytes(id: string, { from, to }: { from: number; to: number }): Promise<ArrayBuffer> {
  const response = await send(audio.play, { params: { id }, headers: { Range: `bytes=${from}-${to - 1}` } })
  const bytes = await response.arrayBuffer()
  // A proxy may send the whole file.
  return response.status === 206 ? bytes : bytes.slice(from, to)
}
