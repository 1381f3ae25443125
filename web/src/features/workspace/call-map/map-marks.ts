import { keywordCategoryNames, type KeywordCategory } from '#contract/keywords/keywords.ts'
import type { Note } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import type { LineHit } from '../state/line-hits.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import type { TalkOver } from './map-lines.ts'

/** What the map shows besides speech. */
export interface MapMark {
  id: string
  time: number
  kind: 'hit' | 'note' | 'talk-over'
  /** The category of a hit; null for other marks. */
  category: KeywordCategory | null
  isReviewed: boolean
  /** `3:12`, or for a passage `3:12 – 3:15`. */
  clock: string
  /** `Threats`, `Note` or `Talk-over`. */
  label: string
  /** The keyword or the text of the note; otherwise empty. */
  words: string
  /** The name of the speaker; empty if unknown. */
  speaker: string
}

interface MarkSources {
  hits: readonly LineHit[]
  reviewedHits: ReadonlySet<string>
  notes: readonly Note[]
  talkOver: readonly TalkOver[]
  describe: DescribeSpeaker
}

/** Lists all marks in time order. */
export function listMarks({ hits, reviewedHits, notes, talkOver, describe }: MarkSources): MapMark[] {
  const none = { category: null, isReviewed: false, words: '', speaker: '' }
  const marks: MapMark[] = [
    ...hits.map(({ key, time, category, keyword, speaker }) => ({
      id: `hit ${key}`,
      kind: 'hit' as const,
      time,
      category,
      isReviewed: reviewedHits.has(key),
      clock: formatClock(time),
      label: keywordCategoryNames[category].name,
      words: keyword,
      speaker: describe(speaker).name,
    })),
    ...notes.map(({ id, time, text }) => ({
      ...none,
      id: `note ${id}`,
      kind: 'note' as const,
      time,
      clock: formatClock(time),
      label: text ? t('Note') : t('Bookmark'),
      words: text,
    })),
    ...talkOver.map(({ from, to, lane }) => ({
      ...none,
      id: `talk-over ${from} ${lane}`,
      kind: 'talk-over' as const,
      time: from,
      clock: formatClockRange(from, to),
      label: t('Talk-over'),
    })),
  ]
  return marks.toSorted((a, b) => a.time - b.time)
}

/** Returns the hits and notes within `seconds` of a time, nearest first. */
export function marksNear(marks: readonly MapMark[], time: number, seconds: number): MapMark[] {
  const distance = (mark: MapMark) => Math.abs(mark.time - time)
  return marks
    .filter((mark) => mark.kind !== 'talk-over' && distance(mark) <= seconds)
    .toSorted((a, b) => distance(a) - distance(b))
}
