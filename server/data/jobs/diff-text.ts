import type { PartialText, TextChange } from '#contract/progress-text.ts'
import type { Segment } from '#contract/transcription.ts'

/** Limits of one stored change, about 20 kB. */
const maxLines = 100
const maxCharacters = 10_000

/** Returns the changes from one text to another, each at most 100 lines or 10,000 characters; empty where nothing changed. */
export function diffText(before: PartialText, after: PartialText): TextChange[] {
  return [...diffLines(before.lines, after.lines), ...diffCharacters(before.text, after.text)]
}

function diffLines(before: Segment[], after: Segment[]): TextChange[] {
  const { at, removed, added } = findSplice(before.length, after.length, (left, right) =>
    isSameLine(before[left], after[right]),
  )
  return splitSplice({ at, removed, added }, maxLines).map((piece) => ({
    at: piece.at,
    removed: piece.removed,
    lines: after.slice(piece.at, piece.at + piece.added),
  }))
}

function diffCharacters(before: string, after: string): TextChange[] {
  if (before === after) return []
  const splice = after.startsWith(before)
    ? { at: before.length, removed: 0, added: after.length - before.length }
    : widenToCodePoints(
        findSplice(before.length, after.length, (left, right) => before[left] === after[right]),
        before,
        after,
      )
  return splitSplice(splice, maxCharacters, (end) => isWithinPair(after, end)).map((piece) => ({
    at: piece.at,
    removed: piece.removed,
    text: after.slice(piece.at, piece.at + piece.added),
  }))
}

interface Splice {
  at: number
  removed: number
  added: number
}

/** Returns the range between the common prefix and the common suffix. */
function findSplice(before: number, after: number, isSame: (left: number, right: number) => boolean): Splice {
  const maxCommon = Math.min(before, after)
  let at = 0
  while (at < maxCommon && isSame(at, at)) at += 1
  let tail = 0
  while (tail < maxCommon - at && isSame(before - 1 - tail, after - 1 - tail)) tail += 1
  return { at, removed: before - at - tail, added: after - at - tail }
}

function splitSplice(splice: Splice, size: number, mustExtend: (end: number) => boolean = () => false): Splice[] {
  const pieces: Splice[] = []
  const end = splice.at + splice.added
  for (let at = splice.at; at < end || pieces.length === 0;) {
    let next = Math.min(end, at + size)
    if (next < end && mustExtend(next)) next += 1
    const removed = pieces.length === 0 ? splice.removed : 0
    if (next === at && removed === 0) break
    pieces.push({ at, removed, added: next - at })
    at = next
  }
  return pieces
}

/** Widens a splice that splits a surrogate pair: half of one would be stored as U+FFFD. */
function widenToCodePoints(splice: Splice, before: string, after: string): Splice {
  const { at, removed, added } = splice
  const isHeadSplit = isWithinPair(before, at) || isWithinPair(after, at)
  const isTailSplit = isWithinPair(before, at + removed) || isWithinPair(after, at + added)
  const start = isHeadSplit ? at - 1 : at
  const wider = at - start + (isTailSplit ? 1 : 0)
  return { at: start, removed: removed + wider, added: added + wider }
}

function isWithinPair(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index), 0xdc00, 0xdfff)
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high
}

function isSameLine(left: Segment | undefined, right: Segment | undefined): boolean {
  if (left === right) return true
  if (!left || !right) return false
  return (
    left.start === right.start &&
    left.end === right.end &&
    left.text === right.text &&
    left.channel === right.channel &&
    left.speaker === right.speaker &&
    left.language === right.language &&
    left.confidence === right.confidence
  )
}
