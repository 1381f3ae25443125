import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { TranslationResult } from '#contract/translation.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { playerTimeAtom, type Player } from '../player/use-player.ts'
import { RetryLine, type RetryLines } from './not-translated.tsx'
import type { ScrollLink } from '../timeline/scroll-link.ts'
import { SearchedTimeline } from '../timeline/searched-timeline.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import { LineSpeaker } from '../speakers/line-speaker.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import { translatedLines, type TranslatedLine } from './translated-lines.ts'
import classes from '../workspace.module.css'

interface TranslationTimelineProps {
  translation: TranslationResult
  showOriginal: boolean
  player: Player
  link: ScrollLink
  onRetry: RetryLines | undefined
}

/** The translation in order of time, each line level with its original; choosing one seeks to it. */
export function TranslationTimeline(props: TranslationTimelineProps) {
  const { translation, showOriginal, player, link, onRetry } = props
  const lines = useMemo(() => translatedLines(translation), [translation])
  const current = lines[segmentAt(lines, useAtomValue(playerTimeAtom))]
  const row = (line: TranslatedLine) => (
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
      link={link}
      row={row}
    />
  )
}

function textOf({ translated_text }: TranslatedLine): string {
  return translated_text
}

interface LineRowProps {
  line: TranslatedLine
  languages: { source: string; target: string }
  /** Under the translation, where the transcript does not stand beside it. */
  showOriginal: boolean
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

function LineRow({ line, languages, showOriginal, isCurrent, onSeek }: LineRowProps) {
  const { describe } = useSpeakerDesk()
  const speaker = line.speaker === null ? null : describe(line.speaker)
  return (
    <button
      type="button"
      className={classes.segment}
      aria-current={isCurrent || undefined}
      onClick={() => onSeek(line.start)}
    >
      <span className={classes.times}>{formatClock(line.start)}</span>
      {speaker && <LineSpeaker speaker={speaker} />}
      <span className={classes.segmentText}>
        {line.error ? (
          <Text component="span" c="var(--mantine-color-error)">
            Error: {line.error}
          </Text>
        ) : (
          <DirectionalText as="span" language={languages.target} className={classes.lineText}>
            {line.translated_text || 'No translation available'}
          </DirectionalText>
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
      </span>
    </button>
  )
}
