import type { Doubt, LineMark, Verification } from './line-marks.ts'
import { splitWords } from './search-words.ts'
import type { Segment } from './transcription.ts'

type MarkableLine = Pick<Segment, 'start' | 'end' | 'channel' | 'text'>

/** The marks of people that apply to the words of a line. */
export interface MatchedMarks {
  /** The people who verified the words, first to last, each once. */
  verified: Verification[]
  /** The last statement on whether the line is uncertain; null if the model's confidence decides. */
  doubt: Doubt | null
}

export interface MarkFinder {
  /** Returns the marks that apply to a line. */
  find(line: MarkableLine): MatchedMarks
  /** Returns the stored marks from which they are derived. */
  marksOf(line: MarkableLine): LineMark[]
}

/** Marks must share at least this part of a line's time. */
const minSharedTime = 0.5

/** The value for a line without marks. */
export const noMarks: MatchedMarks = { verified: [], doubt: null }

interface PlacedMark {
  mark: LineMark
  words: string[]
}

/**
 * Matches marks with lines by time and words, so that they apply in every version of a transcript and lapse with a correction. A line is
 * verified if its words occur consecutively in what one person verified at that time, in one line or in several that were joined.
 * Spelling is compared as in search; punctuation is ignored.
 */
export function createMarkFinder(marks: readonly LineMark[]): MarkFinder {
  const placed = marks
    .map((mark): PlacedMark => ({ mark, words: wordsOf(mark.text) }))
    .toSorted((a, b) => a.mark.start - b.mark.start)
  const longest = placed.reduce((seconds, { mark }) => Math.max(seconds, mark.end - mark.start), 0)

  function near(line: MarkableLine): PlacedMark[] {
    const found: PlacedMark[] = []
    for (let at = firstFrom(placed, line.start - longest); at < placed.length; at += 1) {
      const entry = placed[at]
      if (!entry || entry.mark.start > line.end) break
      if (entry.mark.end >= line.start && isSameChannel(entry.mark, line)) found.push(entry)
    }
    return found
  }

  return {
    find(line) {
      const found = near(line)
      if (found.length === 0) return noMarks
      const words = wordsOf(line.text)
      return { verified: findVerifications(line, words, found), doubt: findDoubt(line, words, found) }
    },
    marksOf: (line) =>
      near(line).flatMap(({ mark }) => (sharesHalf(line, [mark]) || sharesHalf(mark, [line]) ? [mark] : [])),
  }
}

function findVerifications(line: MarkableLine, words: string[], found: PlacedMark[]): Verification[] {
  const people = new Set(found.flatMap(({ mark }) => mark.verified.map(({ by }) => by.id)))
  const verified = [...people].flatMap((id): Verification[] => {
    const own = found.filter(({ mark }) => mark.verified.some(({ by }) => by.id === id))
    const used = findRun(line, words, own)
    const latest = used.flatMap(({ verified: all }) => all.filter(({ by }) => by.id === id)).toSorted(byTime)
    return latest.slice(-1)
  })
  return verified.toSorted(byTime)
}

function byTime(a: { at: string }, b: { at: string }): number {
  return a.at.localeCompare(b.at)
}

/** Returns the marks that together have the words of a line consecutively at its time; none if they do not. */
function findRun(line: MarkableLine, words: string[], marks: PlacedMark[]): LineMark[] {
  const spoken = marks.flatMap(({ mark, words: own }) => own.map((word) => ({ word, mark })))
  for (let at = 0; at + words.length <= spoken.length; at += 1) {
    if (!words.every((word, index) => spoken[at + index]?.word === word)) continue
    const used = [...new Set(spoken.slice(at, at + words.length).map(({ mark }) => mark))]
    if (sharesHalf(line, used)) return used
  }
  return []
}

/** Doubt about a part is doubt about the whole; to be certain, a line must lie within what was marked certain. */
function findDoubt(line: MarkableLine, words: string[], found: PlacedMark[]): Doubt | null {
  const doubts = found.flatMap(({ mark, words: marked }): Doubt[] => {
    if (!mark.doubt) return []
    const isWithin = findRun(line, words, [{ mark, words: marked }]).length > 0
    const whole = { mark: { ...mark, ...line }, words }
    const isPart = mark.doubt.is_uncertain && findRun(mark, marked, [whole]).length > 0
    return isWithin || isPart ? [mark.doubt] : []
  })
  return doubts.toSorted(byTime).at(-1) ?? null
}

function isSameChannel(a: Pick<MarkableLine, 'channel'>, b: Pick<MarkableLine, 'channel'>): boolean {
  return a.channel === undefined || b.channel === undefined || a.channel === b.channel
}

function sharesHalf(line: Pick<MarkableLine, 'start' | 'end'>, others: Pick<MarkableLine, 'start' | 'end'>[]): boolean {
  const shared = others.reduce(
    (sum, { start, end }) => sum + Math.max(0, Math.min(end, line.end) - Math.max(start, line.start)),
    0,
  )
  return shared >= (line.end - line.start) * minSharedTime
}

/** More than the texts of an hour-long call and of its marks. */
const maxCachedTexts = 6_000
const cachedWords = new Map<string, string[]>()

/** A text without words, such as a lone punctuation mark, counts as one word. Cached, because all lines are matched after each change. */
function wordsOf(text: string): string[] {
  const known = cachedWords.get(text)
  if (known) return known
  const found = splitWords(text).map(({ word }) => word)
  const words = found.length > 0 ? found : [text.trim()]
  if (cachedWords.size >= maxCachedTexts) cachedWords.clear()
  cachedWords.set(text, words)
  return words
}

function firstFrom(placed: PlacedMark[], start: number): number {
  let [low, high] = [0, placed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((placed[middle]?.mark.start ?? 0) >= start) high = middle
    else low = middle + 1
  }
  return low
}
