import { Button } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { formatClockRange } from '../../../shared/format.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { groupWarnings } from './group-warnings.ts'
import classes from './transcript-warnings.module.css'

interface TranscriptWarningsProps {
  warnings: TranscriptionWarning[]
  onSeek: (seconds: number) => void
  /** Transcribes a channel again, detecting the language of each part; an undefined channel means the only one. */
  /** Undefined if the user may not transcribe. */
  onPartByPart: ((channel: number | undefined) => void) | undefined
  isBusy: boolean
}

/** The warnings of a transcript, each with the passages concerned. */
export function TranscriptWarnings({ warnings, onSeek, onPartByPart, isBusy }: TranscriptWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings} aria-label={t('Remarks')}>
      {groupWarnings(warnings).map(({ key, text, warnings, changing }) => (
        <li key={key}>
          {text}
          <div className={classes.passages}>
            <Passages warnings={warnings} onSeek={onSeek} />
            {changing && onPartByPart && (
              <Button
                variant="subtle"
                size="compact-xs"
                loading={isBusy}
                onClick={() => onPartByPart(changing.channel)}
              >
                {t('Transcribe part by part')}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Passages({ warnings, onSeek }: Pick<TranscriptWarningsProps, 'warnings' | 'onSeek'>) {
  const { describe } = useSpeakers()
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
