import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import { formatClock } from '../../shared/format.ts'
import { useAtomValue } from '../../shared/jotai.ts'
import { Words } from '../../shared/ui/words.tsx'
import { playerTimeAtom, type Player } from './player/use-player.ts'
import type { ScrollLink } from './scroll-link.ts'
import { SearchedTimeline } from './searched-timeline.tsx'
import { SpeakerChip } from './speaker-chip.tsx'
import { channelOf, describeSpeaker, segmentAt, type SpeakerFacts } from './speakers.ts'
import classes from './workspace.module.css'

interface TranslationTimelineProps {
  translation: TranslationResult
  transcription: TranscriptionResult | null
  showOriginal: boolean
  player: Player
  link: ScrollLink
}

/** A translated line and who spoke it; nobody where the speakers are not known. */
type Line = TranslatedSegment & { speaker: SpeakerFacts | null }

/** The translation in order of time, each line level with its original; choosing one seeks to it. */
export function TranslationTimeline(props: TranslationTimelineProps) {
  const { translation, transcription, showOriginal, player, link } = props
  const lines = useMemo(() => linesOf(translation, transcription), [translation, transcription])
  const current = lines[segmentAt(lines, useAtomValue(playerTimeAtom))]
  const row = (line: Line) => (
    <LineRow
      line={line}
      languages={{ source: translation.source_language, target: translation.target_language }}
      showOriginal={showOriginal}
      isCurrent={line === current}
      onSeek={player.seek}
    />
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

function textOf({ translated_text }: Line): string {
  return translated_text
}

function linesOf({ speaker_translations, segments }: TranslationResult, transcription: TranscriptionResult | null) {
  const spoken = speaker_translations.flatMap(({ speaker, segments }) => {
    const facts = describeSpeaker(channelOf(transcription, speaker), speaker)
    return segments.map((segment): Line => ({ ...segment, speaker: facts }))
  })
  const lines = spoken.length > 0 ? spoken : segments.map((segment): Line => ({ ...segment, speaker: null }))
  return lines.toSorted((a, b) => a.start - b.start)
}

interface LineRowProps {
  line: Line
  languages: { source: string; target: string }
  /** Under the translation, where the transcript does not stand beside it. */
  showOriginal: boolean
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

function LineRow({ line, languages, showOriginal, isCurrent, onSeek }: LineRowProps) {
  return (
    <button
      type="button"
      className={classes.segment}
      aria-current={isCurrent || undefined}
      onClick={() => onSeek(line.start)}
    >
      <span className={classes.times}>{formatClock(line.start)}</span>
      {line.speaker && <SpeakerChip speaker={line.speaker} />}
      <span className={classes.segmentText}>
        {line.error ? (
          <Text component="span" c="var(--mantine-color-error)">
            Error: {line.error}
          </Text>
        ) : (
          <Words as="span" language={languages.target} className={classes.lineText}>
            {line.translated_text || 'No translation available'}
          </Words>
        )}
        {showOriginal && line.text !== line.translated_text && (
          <Words as="span" language={languages.source} className={classes.originalBelow}>
            {line.text}
          </Words>
        )}
      </span>
    </button>
  )
}
