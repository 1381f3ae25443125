import { Badge, Text } from '@mantine/core'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import classes from '../workspace.module.css'

/** What each speaker said, or the whole text of a mono recording. */
export function SpeakerTranscripts({ transcription }: { transcription: TranscriptionResult }) {
  const { describe } = useSpeakerDesk()
  if (transcription.speaker_transcriptions.length === 0) {
    return <Spoken text={transcription.transcription} {...transcription} />
  }
  return (
    <div className={classes.blocks}>
      {transcription.speaker_transcriptions.map((entry) => (
        <section key={entry.speaker} className={classes.block} aria-label={describe(entry.speaker).name}>
          <header className={classes.blockHead}>
            <SpeakerChip speaker={describe(entry.speaker)} isNamed />
            <Text span size="sm" c="dimmed">
              {entry.segment_count} {entry.segment_count === 1 ? 'segment' : 'segments'}
            </Text>
            {entry.detected_language && (
              <Badge color="gray">
                {languageName(entry.detected_language)}
                {entry.language_probability !== null && ` · ${formatPercent(entry.language_probability)}`}
              </Badge>
            )}
          </header>
          {entry.transcription ? (
            <Spoken text={entry.transcription} {...entry} />
          ) : (
            <Text c="dimmed">No speech was found on this channel.</Text>
          )}
        </section>
      ))}
    </div>
  )
}

interface SpokenProps {
  text: string
  segments: Segment[]
  detected_language: string | null
}

/** A speaker's words; who changes the language has a paragraph for each stretch of one. */
function Spoken({ text, segments, detected_language: main }: SpokenProps) {
  if (!segments.some(({ language }) => language)) return <DirectionalText language={main}>{text}</DirectionalText>
  const stretches: { language: string | null; texts: string[] }[] = []
  for (const { text, language = main } of segments) {
    const last = stretches.at(-1)
    if (last?.language === language) last.texts.push(text)
    else stretches.push({ language, texts: [text] })
  }
  return stretches.map(({ language, texts }, index) => (
    <DirectionalText key={index} language={language}>
      {texts.join(' ')}
    </DirectionalText>
  ))
}
