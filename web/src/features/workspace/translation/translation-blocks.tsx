import { Text } from '@mantine/core'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { SpeakerBlock, SpeakerBlocks } from '../speakers/speaker-block.tsx'
import { LineTime } from '../timeline/line-time.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import classes from './translation-blocks.module.css'

interface TranslationBlocksProps {
  translation: TranslationResult
  /** Whether each line is shown beside its original. */
  showOriginal: boolean
}

/** A translation by speaker, or as one block where the speakers are not known. */
export function TranslationBlocks({ translation, showOriginal }: TranslationBlocksProps) {
  const languages = { source: translation.source_language, target: translation.target_language }
  if (translation.speaker_translations.length === 0) {
    const { segments, translated_text: text } = translation
    return <Lines segments={segments} text={text} languages={languages} showOriginal={showOriginal} />
  }
  return (
    <SpeakerBlocks>
      {translation.speaker_translations.map(({ speaker, error, segments, translated_text: text }) => (
        <SpeakerBlock key={speaker} label={speaker}>
          {error ? (
            <Text c="var(--mantine-color-error)">Error: {error}</Text>
          ) : (
            <Lines segments={segments} text={text} languages={languages} showOriginal={showOriginal} />
          )}
        </SpeakerBlock>
      ))}
    </SpeakerBlocks>
  )
}

interface LinesProps {
  segments: TranslatedSegment[]
  text: string
  languages: { source: string; target: string }
  showOriginal: boolean
}

function Lines({ segments, text, languages, showOriginal }: LinesProps) {
  const current = segmentAt(segments, useAtomValue(playerTimeAtom))
  if (segments.length === 0) {
    if (!text) return <Text c="dimmed">No translation available</Text>
    return <DirectionalText language={languages.target}>{text}</DirectionalText>
  }
  return (
    <ol className={classes.lines}>
      {segments.map((segment, index) => (
        <li
          key={`${segment.start}-${segment.end}`}
          className={classes.line}
          data-paired={showOriginal || undefined}
          aria-current={index === current || undefined}
        >
          <LineTime>{formatClock(segment.start)}</LineTime>
          {segment.error ? (
            <Text c="var(--mantine-color-error)">Error: {segment.error}</Text>
          ) : (
            <DirectionalText language={languages.target}>
              {segment.translated_text || 'No translation available'}
            </DirectionalText>
          )}
          {showOriginal && (
            <DirectionalText language={languages.source} className={classes.original}>
              {segment.text}
            </DirectionalText>
          )}
        </li>
      ))}
    </ol>
  )
}
