import type { MarkedLine } from '#contract/line-marks.ts'
import { createMarkFinder } from '#contract/match-marks.ts'
import type { StoredMark } from '#data/line-marks/stored-mark.ts'
import { presentMark } from './present-mark.ts'

/** What is said of lines; missing for what stays. */
export interface Statement {
  isVerified?: boolean | undefined
  doubt?: { isUncertain: boolean; reason: string } | null | undefined
}

interface Speaker {
  userId: string
  /** Milliseconds. */
  now: number
}

/** Returns the marks after one person said something of lines; the list itself where that changes nothing. */
export function markLines(
  marks: StoredMark[],
  { lines, statement, speaker }: { lines: MarkedLine[]; statement: Statement; speaker: Speaker },
): StoredMark[] {
  const named = new Set(lines.map(keyOf))
  const touched = findTouched(marks, lines)
  const kept = marks.map((mark) => {
    const isNamed = named.has(keyOf(mark))
    return touched.has(mark) || isNamed ? applyTo(mark, { statement, speaker, isNamed }) : mark
  })
  const known = new Set(marks.map(keyOf))
  const added = lines
    .filter(
      (line, index) => !known.has(keyOf(line)) && lines.findIndex((other) => keyOf(other) === keyOf(line)) === index,
    )
    .map((line) => applyTo({ ...line, verified: [], doubt: null }, { statement, speaker, isNamed: true }))
  const next = [...kept, ...added].filter(({ verified, doubt }) => verified.length > 0 || doubt !== null)
  const isSame = next.length === marks.length && next.every((mark, index) => mark === marks[index])
  return isSame ? marks : next.toSorted((a, b) => a.start - b.start)
}

/** Returns the marks that say something of lines, in whichever version they were made. */
export function findTouched(marks: StoredMark[], lines: MarkedLine[]): Set<StoredMark> {
  const sources = new Map(marks.map((mark) => [presentMark(mark, new Map()), mark]))
  const { marksOf } = createMarkFinder([...sources.keys()])
  return new Set(lines.flatMap((line) => marksOf(line)).flatMap((mark) => sources.get(mark) ?? []))
}

/**
 * What is said is kept with the very line; what is taken back is taken from all marks that say it of the line. Returns the mark itself where
 * nothing changes.
 */
function applyTo(
  mark: StoredMark,
  { statement, speaker, isNamed }: { statement: Statement; speaker: Speaker; isNamed: boolean },
): StoredMark {
  const { isVerified, doubt } = statement
  const { userId: by, now: at } = speaker
  const isOwn = mark.verified.some((verification) => verification.by === by)
  let next = mark
  if (isVerified === true && isNamed && !isOwn) next = { ...next, verified: [...next.verified, { by, at }] }
  if (isVerified === false && isOwn) {
    next = { ...next, verified: next.verified.filter((verification) => verification.by !== by) }
  }
  if (doubt === null && next.doubt) next = { ...next, doubt: null }
  if (doubt && isNamed) next = { ...next, doubt: { ...doubt, by, at } }
  return next
}

function keyOf({ start, end, channel, text }: MarkedLine): string {
  return JSON.stringify([Math.round(start * 1000), Math.round(end * 1000), channel ?? null, text])
}
