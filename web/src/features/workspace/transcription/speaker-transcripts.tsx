import { Badge, Text } from '@mantine/core'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatPercent } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { SpeakerBlock, SpeakerBlocks } from '../speakers/speaker-block.tsx'

/** What each speaker said, or the whole text of a recording without speakers. */
export function SpeakerTranscripts({ transcription }: { transcription: TranscriptionResult }) {
  if (transcription.speaker_transcriptions.length === 0) {
    return <SpokenText text={transcription.transcription} {...transcription} />
  }
  return (
    <SpeakerBlocks>
      {transcription.speaker_transcriptions.map((entry) => (
        <SpeakerBlock
          key={entry.speaker}
          label={entry.speaker}
          facts={
            <>
              <Text span size="sm" c="dimmed">
                {entry.segment_count} {entry.segment_count === 1 ? 'segment' : 'segments'}
              </Text>
              {entry.detected_language && (
                <Badge color="gray">
                  {languageName(entry.detected_language)}
                  {entry.language_probability !== null && ` · ${formatPercent(entry.language_probability)}`}
                </Badge>
              )}
            </>
          }
        >
          {entry.transcription ? (
            <SpokenText text={entry.transcription} {...entry} />
          ) : (
            <Text c="dimmed">No speech was found on this channel.</Text>
          )}
        </SpeakerBlock>
      ))}
    </SpeakerBlocks>
  )
}

interface SpokenTextProps {
  text: string
  segments: Segment[]
  detected_language: string | null
}

/** The text of a speaker, with a paragraph for each passage in one language. */
function SpokenText({ text, segments, detected_language: main }: SpokenTextProps) {
  if (!segments.some(({ language }) => language)) return <DirectionalText language={main}>{text}</DirectionalText>
  const passages: { language: string | null; texts: string[] }[] = []
  for (const { text, language = main } of segments) {
    const last = passages.at(-1)
    if (last?.language === language) last.texts.push(text)
    else passages.push({ language, texts: [text] })
  }
  return passages.map(({ language, texts }, index) => (
    <DirectionalText key={index} language={language}>
      {texts.join(' ')}
    </DirectionalText>
  ))
}
