import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { TranslationResult } from '#contract/translation.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { LineSpeaker } from '../speakers/line-speaker.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { LineText } from '../timeline/line-text.tsx'
import { SearchedTimeline } from '../timeline/searched-timeline.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import { TimelineRow } from '../timeline/timeline-row.tsx'
import { RetryLine, type RetryLines } from './retry-line.tsx'
import { translatedLines, type TranslatedLine } from './translated-lines.ts'
import classes from './translation-timeline.module.css'

interface TranslationTimelineProps {
  translation: TranslationResult
  showOriginal: boolean
  /** Undefined where single lines cannot be translated. */
  onRetry: RetryLines | undefined
}

/** A translation in order of time, each line level with its original; selecting one seeks to it. */
export function TranslationTimeline({ translation, showOriginal, onRetry }: TranslationTimelineProps) {
  const player = usePlayer()
  const lines = useMemo(() => translatedLines(translation), [translation])
  const current = lines[segmentAt(lines, useAtomValue(playerTimeAtom))]
  const renderRow = (line: TranslatedLine) => (
    <>
      <LineRow
        line={line}
        languages={{ source: translation.source_language, target: translation.target_language }}
        showOriginal={showOriginal}
        isCurrent={line === current}
        onSeek={player.seek}
      />
      {line.error !== null && onRetry && <RetryLine line={line} onRetry={onRetry} />}
    </>
  )
  return (
    <SearchedTimeline
      label="Translation Timeline"
      searchLabel="Search the translation"
      emptyText="No translation available"
      lines={lines}
      textOf={textOf}
      followed={player.isPlaying ? current : undefined}
      renderRow={renderRow}
    />
  )
}

function textOf({ translated_text }: TranslatedLine): string {
  return translated_text
}

interface LineRowProps {
  line: TranslatedLine
  languages: { source: string; target: string }
  /** Whether the original is shown below the translation where the transcript is not beside it. */
  showOriginal: boolean
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

function LineRow({ line, languages, showOriginal, isCurrent, onSeek }: LineRowProps) {
  const { describe } = useSpeakers()
  return (
    <TimelineRow
      time={formatClock(line.start)}
      speaker={line.speaker !== null && <LineSpeaker speaker={describe(line.speaker)} />}
      isCurrent={isCurrent}
      onSelect={() => onSeek(line.start)}
    >
      {line.error ? (
        <Text component="span" c="var(--mantine-color-error)">
          Error: {line.error}
        </Text>
      ) : (
        <LineText language={languages.target}>{line.translated_text || 'No translation available'}</LineText>
      )}
      {(line.not_translated || (showOriginal && line.text !== line.translated_text)) && (
        <DirectionalText
          as="span"
          language={languages.source}
          className={line.not_translated ? classes.originalInstead : classes.originalBelow}
        >
          {line.text}
        </DirectionalText>
      )}
    </TimelineRow>
  )
}
