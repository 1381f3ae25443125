import { memo, useMemo } from 'react'
import { hasConfidences, isUncertainSegment } from '#contract/doubt.ts'
import { listGaps, type Gap } from '#contract/gaps.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { LineMenu } from '../speakers/line-menu.tsx'
import { LineSpeaker } from '../speakers/line-speaker.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SearchedTimeline } from '../timeline/searched-timeline.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import { useSharedTimeline } from '../timeline/timeline-context.ts'
import { TimelineRow } from '../timeline/timeline-row.tsx'
import { SegmentText, UncertainLegend } from './segment-text.tsx'
import classes from './transcript-timeline.module.css'

/** A segment, or in its place a passage that was not understood. */
interface Entry {
  start: number
  end: number
  segment: Segment | null
  gap: Gap | null
}

/** Segments with start and end, and the gaps between them; selecting one seeks to it. */
export function TranscriptTimeline({ transcription }: { transcription: TranscriptionResult }) {
  const player = usePlayer()
  const { transcriptSearch } = useSharedTimeline()
  const entries = useMemo(() => listEntries(transcription), [transcription])
  const uncertainCount = useMemo(() => entries.filter(isUncertain).length, [entries])
  const current = entries[segmentAt(entries, useAtomValue(playerTimeAtom))]
  const isMeasured = hasConfidences(transcription)
  const filter = { label: 'Only uncertain lines', kept: 'uncertain line', keeps: isUncertain, count: uncertainCount }
  const renderRow = (entry: Entry) => (
    <EntryRow entry={entry} transcription={transcription} isCurrent={entry === current} onSeek={player.seek} />
  )
  return (
    <SearchedTimeline
      label="Transcript Timeline"
      searchLabel="Search the transcript"
      searchField={transcriptSearch}
      emptyText={
        transcription.warnings.some(({ code }) => code === 'no_words')
          ? 'A voice was found, but no words were understood.'
          : 'No speech was found in this recording.'
      }
      lines={entries}
      textOf={textOf}
      filter={isMeasured ? filter : undefined}
      legend={isMeasured && uncertainCount > 0 && <UncertainLegend />}
      followed={player.isPlaying ? current : undefined}
      renderRow={renderRow}
    />
  )
}

function listEntries(transcription: TranscriptionResult): Entry[] {
  const spoken = transcription.segments.map((segment): Entry => ({ ...timesOf(segment), segment, gap: null }))
  const gaps = listGaps(transcription).map((gap): Entry => ({ ...timesOf(gap), segment: null, gap }))
  return gaps.length === 0 ? spoken : [...spoken, ...gaps].toSorted((a, b) => a.start - b.start)
}

function timesOf({ start, end }: Pick<Segment, 'start' | 'end'>) {
  return { start, end }
}

function textOf({ segment }: Entry): string {
  return segment?.text ?? ''
}

/** Nothing is less certain than a gap. */
function isUncertain({ segment }: Entry): boolean {
  return segment === null || isUncertainSegment(segment)
}

interface EntryRowProps {
  entry: Entry
  transcription: TranscriptionResult
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

/** Memoized: renders when it becomes the current line or its speaker changes, not with every change of the playback position. */
const EntryRow = memo(function EntryRow({ entry, transcription, isCurrent, onSeek }: EntryRowProps) {
  const { start, end, segment, gap } = entry
  const { describe, voices, movedFrom, move } = useSpeakers()
  const isMovable = move !== undefined && segment?.speaker !== undefined && voices.length > 1
  const movedFromLabel = segment ? movedFrom(segment) : undefined
  return (
    <div className={classes.row} data-movable={isMovable || undefined}>
      <TimelineRow
        time={gap ? formatClockRange(start, end) : `${formatClock(start)} – ${formatClock(end)}`}
        speaker={<LineSpeaker speaker={describe(segment?.speaker, segment?.channel ?? gap?.channel)} />}
        isCurrent={isCurrent}
        title={gap?.message}
        onSelect={() => onSeek(start)}
      >
        {segment ? (
          <SegmentText
            segment={segment}
            language={spokenLanguage(transcription, segment)}
            movedFrom={movedFromLabel === undefined ? undefined : describe(movedFromLabel).name}
          />
        ) : (
          <span className={classes.gap}>Not understood</span>
        )}
      </TimelineRow>
      {isMovable && <LineMenu line={segment} />}
    </div>
  )
})
