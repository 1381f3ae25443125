import { Button } from '@mantine/core'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { formatClockRange } from '../../../shared/format.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import classes from './transcript.module.css'

interface TranscriptWarningsProps {
  warnings: TranscriptionWarning[]
  onSeek: (seconds: number) => void
  /** Transcribes a channel again, telling the language of each part; undefined: the only one. */
  onPartByPart: (channel: number | undefined) => void
  isBusy: boolean
}

/** Said once of all the passages it is true of; each of their warnings says it of one, with its times. */
const passageTexts: Record<string, string> = {
  repetition: 'Not understood: the model only repeated itself.',
  window_failed: 'Could not be transcribed.',
}

/** How far a transcript can be trusted: what is to be known about it, with the passages concerned. */
export function TranscriptWarnings({ warnings, onSeek, onPartByPart, isBusy }: TranscriptWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.remarks} aria-label="Remarks">
      {groupRemarks(warnings).map(({ text, warnings, changing }) => (
        <li key={text}>
          {text}
          <div className={classes.passages}>
            <Passages warnings={warnings} onSeek={onSeek} />
            {changing && (
              <Button
                variant="subtle"
                size="compact-xs"
                loading={isBusy}
                onClick={() => onPartByPart(changing.channel)}
              >
                Transcribe part by part
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

interface Remark {
  text: string
  warnings: TranscriptionWarning[]
  /** The first warning of a channel whose language changes. */
  changing: TranscriptionWarning | undefined
}

function groupRemarks(warnings: TranscriptionWarning[]): Remark[] {
  const remarks = new Map<string, Remark>()
  const changingChannels = new Set<number | undefined>()
  for (const warning of warnings) {
    const text = (warning.start !== undefined && passageTexts[warning.code]) || warning.message
    const isChange = warning.code === 'language_changes' && !changingChannels.has(warning.channel)
    if (isChange) changingChannels.add(warning.channel)
    const remark = remarks.get(text) ?? { text, warnings: [], changing: isChange ? warning : undefined }
    remark.warnings.push(warning)
    remarks.set(text, remark)
  }
  return [...remarks.values()]
}

function Passages({ warnings, onSeek }: Pick<TranscriptWarningsProps, 'warnings' | 'onSeek'>) {
  const { describe } = useSpeakerDesk()
  const passages = warnings.flatMap(({ start, end, channel }) =>
    start === undefined ? [] : [{ start, times: formatClockRange(start, end ?? start), channel }],
  )
  return passages.map(({ start, times, channel }) => {
    const speaker = describe(undefined, channel)
    return (
      <button key={`${start} ${channel}`} type="button" className={classes.passage} onClick={() => onSeek(start)}>
        {speaker.letter && <SpeakerChip speaker={speaker} />}
        {times}
      </button>
    )
  })
}
