import type { Doubt, LineMark, MarkedLine, Verification } from './line-marks.ts'
import { createMarkFinder } from './match-marks.ts'

/** What one person says about lines; missing fields stay unchanged. */
export interface MarkStatement {
  lines: MarkedLine[]
  isVerified?: boolean | undefined
  /** Null returns to the model's confidence. */
  doubt?: { isUncertain: boolean; reason: string } | null | undefined
  by: Verification['by']
  at: string
}

/**
 * Returns the marks after a statement about lines; the same list if nothing changes. A statement is stored with exactly its line; a
 * withdrawal removes it from all marks that apply to the line, and people can withdraw only their own verification.
 */
export function markLines(marks: LineMark[], statement: MarkStatement): LineMark[] {
  const lines = new Map(statement.lines.map((line) => [keyOf(line), line]))
  const touched = findTouched(marks, statement.lines)
  const kept = marks.map((mark) => {
    if (lines.delete(keyOf(mark))) return applyTo(mark, statement, { isNamed: true })
    return touched.has(mark) ? applyTo(mark, statement, { isNamed: false }) : mark
  })
  const added = [...lines.values()].map((line) => {
    return applyTo({ ...line, verified: [], doubt: null }, statement, { isNamed: true })
  })
  const next = [...kept, ...added].filter(({ verified, doubt }) => verified.length > 0 || doubt !== null)
  const isSame = next.length === marks.length && next.every((mark, index) => mark === marks[index])
  return isSame ? marks : next.toSorted((a, b) => a.start - b.start)
}

/** Returns the marks that apply to lines, in whichever version they were made. */
export function findTouched(marks: LineMark[], lines: MarkedLine[]): Set<LineMark> {
  const { marksOf } = createMarkFinder(marks)
  return new Set(lines.flatMap((line) => marksOf(line)))
}

/** Returns the same mark if nothing changes. */
function applyTo(mark: LineMark, statement: MarkStatement, { isNamed }: { isNamed: boolean }): LineMark {
  const verified = verify(mark.verified, statement, { isNamed })
  const doubt = doubtAfter(mark.doubt, statement, { isNamed })
  return verified === mark.verified && doubt === mark.doubt ? mark : { ...mark, verified, doubt }
}

function verify(
  verified: Verification[],
  { isVerified, by, at }: MarkStatement,
  { isNamed }: { isNamed: boolean },
): Verification[] {
  const isOwn = verified.some((verification) => verification.by.id === by.id)
  if (isVerified === true && isNamed && !isOwn) return [...verified, { by, at }]
  if (isVerified === false && isOwn) return verified.filter((verification) => verification.by.id !== by.id)
  return verified
}

function doubtAfter(
  before: Doubt | null,
  { doubt, by, at }: MarkStatement,
  { isNamed }: { isNamed: boolean },
): Doubt | null {
  if (doubt === null) return null
  if (!doubt || !isNamed) return before
  return { is_uncertain: doubt.isUncertain, reason: doubt.reason, by, at }
}

function keyOf({ start, end, channel, text }: MarkedLine): string {
  return JSON.stringify([Math.round(start * 1000), Math.round(end * 1000), channel ?? null, text])
}
