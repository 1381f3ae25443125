import { Button } from '@mantine/core'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { formatClockRange } from '../../shared/format.ts'
import { SpeakerChip } from './speaker-chip.tsx'
import { describeSpeaker } from './speakers.ts'
import classes from './transcript.module.css'

interface RemarksProps {
  warnings: TranscriptionWarning[]
  onSeek: (seconds: number) => void
  /** Transcribes a channel again, telling the language of each part; undefined: the only one. */
  onPartByPart: (channel: number | undefined) => void
  isBusy: boolean
}

/** How far a transcript can be trusted: what is to be known about it, with the passages concerned. */
export function Remarks({ warnings, onSeek, onPartByPart, isBusy }: RemarksProps) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.remarks} aria-label="Remarks">
      {groupByMessage(warnings).map(([key, same]) => {
        const [first] = same
        return (
          <li key={key}>
            {first?.message}
            <Passages warnings={same} onSeek={onSeek} />
            {first?.code === 'language_changes' && (
              <Button variant="subtle" size="compact-xs" loading={isBusy} onClick={() => onPartByPart(first.channel)}>
                Transcribe part by part
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The same remark about many passages is said once. */
function groupByMessage(warnings: TranscriptionWarning[]): [string, TranscriptionWarning[]][] {
  const groups = new Map<string, TranscriptionWarning[]>()
  for (const warning of warnings) {
    const key = `${warning.code} ${warning.message}`
    groups.set(key, [...(groups.get(key) ?? []), warning])
  }
  return [...groups]
}

function Passages({ warnings, onSeek }: Pick<RemarksProps, 'warnings' | 'onSeek'>) {
  const passages = warnings.flatMap(({ start, end, channel }) =>
    start === undefined ? [] : [{ start, times: formatClockRange(start, end ?? start), channel }],
  )
  if (passages.length === 0) return null
  return (
    <div className={classes.passages}>
      {passages.map(({ start, times, channel }) => {
        const speaker = describeSpeaker(channel, '')
        return (
          <button key={`${start} ${channel}`} type="button" className={classes.passage} onClick={() => onSeek(start)}>
            {speaker.letter && <SpeakerChip speaker={speaker} />}
            {times}
          </button>
        )
      })}
    </div>
  )
}
