import { memo, useMemo, type RefObject } from 'react'
import { hasConfidences, isUncertainSegment } from '#contract/doubt.ts'
import { listGaps, type Gap } from '#contract/gaps.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { playerTimeAtom, type Player } from '../player/use-player.ts'
import type { ScrollLink } from '../timeline/scroll-link.ts'
import { SearchedTimeline } from '../timeline/searched-timeline.tsx'
import { segmentAt } from '../timeline/segment-at.ts'
import { SegmentText } from './segment-text.tsx'
import { LineMenu } from '../speakers/line-menu.tsx'
import { LineSpeaker } from '../speakers/line-speaker.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import row from './transcript-timeline.module.css'
import transcript from './transcript.module.css'
import classes from '../workspace.module.css'

interface TranscriptTimelineProps {
  transcription: TranscriptionResult
  player: Player
  searchField: RefObject<HTMLInputElement | null>
  link: ScrollLink
}

/** A segment, or in its place a passage that was not understood. */
interface Entry {
  start: number
  end: number
  segment: Segment | null
  gap: Gap | null
}

/** Segments with start and end, and the gaps between them; choosing one seeks to it. */
export function TranscriptTimeline({ transcription, player, searchField, link }: TranscriptTimelineProps) {
  const entries = useMemo(() => listEntries(transcription), [transcription])
  const uncertainCount = useMemo(() => entries.filter(isUncertain).length, [entries])
  const current = entries[segmentAt(entries, useAtomValue(playerTimeAtom))]
  const isMeasured = hasConfidences(transcription)
  const filter = { label: 'Only uncertain lines', kept: 'uncertain line', keeps: isUncertain, count: uncertainCount }
  const drawRow = (entry: Entry) => (
    <EntryRow entry={entry} transcription={transcription} isCurrent={entry === current} onSeek={player.seek} />
  )
  return (
    <SearchedTimeline
      label="Transcript Timeline"
      searchLabel="Search the transcript"
      searchField={searchField}
      emptyText={
        transcription.warnings.some(({ code }) => code === 'no_words')
          ? 'A voice was found, but no words were understood.'
          : 'No speech was found in this recording.'
      }
      lines={entries}
      textOf={textOf}
      filter={isMeasured ? filter : undefined}
      legend={isMeasured && uncertainCount > 0 && <Legend />}
      followed={player.isPlaying ? current : undefined}
      link={link}
      row={drawRow}
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

function Legend() {
  return (
    <span className={transcript.legend}>
      <span className={transcript.uncertain}>Underlined</span> words are uncertain
    </span>
  )
}

interface EntryRowProps {
  entry: Entry
  transcription: TranscriptionResult
  isCurrent: boolean
  onSeek: (seconds: number) => void
}

/** Drawn again when it becomes the current line or its speaker changes, not with every moment that is played. */
const EntryRow = memo(function EntryRow({ entry, transcription, isCurrent, onSeek }: EntryRowProps) {
  const { start, end, segment, gap } = entry
  const { describe, voices, movedFrom, move } = useSpeakerDesk()
  const isMovable = move !== undefined && segment?.speaker !== undefined && voices.length > 1
  const movedFromLabel = segment ? movedFrom(segment) : undefined
  return (
    <div className={row.row} data-movable={isMovable || undefined}>
      <button
        type="button"
        className={classes.segment}
        aria-current={isCurrent || undefined}
        title={gap?.message}
        onClick={() => onSeek(start)}
      >
        <span className={classes.times}>
          {gap ? formatClockRange(start, end) : `${formatClock(start)} – ${formatClock(end)}`}
        </span>
        <LineSpeaker speaker={describe(segment?.speaker, segment?.channel ?? gap?.channel)} />
        {segment ? (
          <SegmentText
            segment={segment}
            language={spokenLanguage(transcription, segment)}
            movedFrom={movedFromLabel === undefined ? undefined : describe(movedFromLabel).name}
          />
        ) : (
          <span className={`${classes.segmentText} ${transcript.gap}`}>Not understood</span>
        )}
      </button>
      {isMovable && <LineMenu line={segment} />}
    </div>
  )
})
