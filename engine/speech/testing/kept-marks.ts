import type { LineMark } from '#contract/line-marks.ts'
import { createMarkFinder } from '#contract/match-marks.ts'
import { splitWords } from '#contract/search-words.ts'
import type { Segment } from '#contract/transcription.ts'

interface KeptMarks {
  /** The number of lines of the second version whose words the first has at the same time. */
  sameCount: number
  /** How many of those lines are verified. */
  keptCount: number
  /** How many of the other lines are verified. */
  wrongCount: number
}

/** Counts the verified lines in a second version of a recording when all lines of the first were verified. */
export function countKeptMarks(first: Segment[], second: Segment[]): KeptMarks {
  const { find } = createMarkFinder(first.map(verify))
  const isVerified = (line: Segment) => find(line).verified.length > 0
  const same = second.filter((line) => wordsNear(line, first).includes(` ${wordsOf(line)} `))
  const others = second.filter((line) => !same.includes(line))
  return {
    sameCount: same.length,
    keptCount: same.filter(isVerified).length,
    wrongCount: others.filter(isVerified).length,
  }
}

function verify({ start, end, channel, text }: Segment): LineMark {
  const verified = [{ by: { id: 'a'.repeat(24), name: '' }, at: '2026-11-01T10:00:00.000Z' }]
  return { start, end, text, ...(channel !== undefined && { channel }), verified, doubt: null }
}

function wordsNear(line: Segment, others: Segment[]): string {
  const near = others.filter(({ start, end, channel }) => {
    return channel === line.channel && start < line.end && end > line.start
  })
  return ` ${near.map(wordsOf).join(' ')} `
}

function wordsOf({ text }: Segment): string {
  return splitWords(text)
    .map(({ word }) => word)
    .join(' ')
}
