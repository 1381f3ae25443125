import { Badge, Text } from '@mantine/core'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { formatPercent } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { Words } from '../../shared/ui/words.tsx'
import { SpeakerChip } from './speaker-chip.tsx'
import { describeSpeaker } from './speakers.ts'
import classes from './workspace.module.css'

/** What each speaker said, or the whole text of a mono recording. */
export function SpeakerBlocks({ transcription }: { transcription: TranscriptionResult }) {
  if (transcription.speaker_transcriptions.length === 0) {
    return <Words language={transcription.detected_language}>{transcription.transcription}</Words>
  }
  return (
    <div className={classes.blocks}>
      {transcription.speaker_transcriptions.map((entry) => (
        <section key={entry.speaker} className={classes.block} aria-label={entry.speaker}>
          <header className={classes.blockHead}>
            <SpeakerChip speaker={describeSpeaker(entry.channel, entry.speaker)} isNamed />
            <Text span size="sm" c="dimmed">
              {entry.segment_count} segments
            </Text>
            {entry.detected_language && (
              <Badge color="gray">
                {languageName(entry.detected_language)}
                {entry.language_probability !== null && ` · ${formatPercent(entry.language_probability)}`}
              </Badge>
            )}
          </header>
          {entry.transcription ? (
            <Words language={entry.detected_language}>{entry.transcription}</Words>
          ) : (
            <Text c="dimmed">No speech was found on this channel.</Text>
          )}
        </section>
      ))}
    </div>
  )
}
