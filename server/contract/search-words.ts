import { foldText, type FoldedText } from './keywords/fold.ts'

/** A word of a text in the form in which words are compared. */
export interface TextWord {
  /** The folded word: see foldText. */
  word: string
  /** UTF-16 offsets in the text. */
  start: number
  end: number
  /** The index of the word in the text. A word written with a zero-width non-joiner counts as its parts. */
  position: number
  /** The number of positions: more than one for a word whose parts are separated by a zero-width non-joiner. */
  span: number
}

/** In UTF-16 units. Longer words are cut: people do not type them, and a text without spaces must not become one word. */
const maxWordUnits = 48
const nonJoiner = '\u200C'
const underscore = 0x5f

const separator = 1
const letter = 2
const arabic = 3
/** A character of a script without spaces between words, which is a separate word. */
const running = 4
const mark = 5
const classes = new Uint8Array(0x10000)

const arabicLetter = /\p{Script=Arabic}/u
const wordCharacter = /[\p{L}\p{N}_]/u
const anyMark = /\p{M}/u
const runningScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Returns the words of a text in order, split where keywords end (see isWholeWord). A word whose parts are separated by a zero-width
 * non-joiner is returned whole, followed by its parts, because people also write it with a space or in one piece.
 */
export function splitWords(text: string): TextWord[] {
  const folded = foldText(text)
  const words: TextWord[] = []
  let position = 0
  for (let from = 0; from < folded.units.length;) {
    const to = wordEnd(folded.units, from)
    if (to === from) {
      from += 1
      continue
    }
    const parts = splitAtNonJoiners(text, folded, from, to)
    words.push(toWord(folded, { from, to, position, span: parts.length }))
    if (parts.length > 1) {
      for (const [index, part] of parts.entries())
        words.push(toWord(folded, { ...part, position: position + index, span: 1 }))
    }
    position += parts.length
    from = to
  }
  return words
}

function toWord(
  { units, starts, ends }: FoldedText,
  { from, to, position, span }: { from: number; to: number; position: number; span: number },
): TextWord {
  const word = String.fromCharCode(...units.slice(from, Math.min(to, from + maxWordUnits))).toWellFormed()
  return { word, start: starts[from] ?? 0, end: ends[to - 1] ?? 0, position, span }
}

/** Returns the end of the word that begins at `from`, or `from` if no word begins there. */
function wordEnd(units: number[], from: number): number {
  const first = classAt(units, from)
  if (first === separator || first === mark) return from
  let to = from + unitCount(units, from)
  if (first === running) {
    while (to < units.length && classAt(units, to) === mark) to += unitCount(units, to)
    return to
  }
  while (to < units.length) {
    const next = classAt(units, to)
    if (next === separator || next === running) return to
    to += unitCount(units, to)
  }
  return to
}

function splitAtNonJoiners(text: string, { starts, ends }: FoldedText, from: number, to: number) {
  const parts: { from: number; to: number }[] = []
  let begin = from
  for (let at = from + 1; at < to; at++) {
    const gapStart = ends[at - 1] ?? 0
    const gapEnd = starts[at] ?? 0
    if (gapEnd > gapStart && text.slice(gapStart, gapEnd).includes(nonJoiner)) {
      parts.push({ from: begin, to: at })
      begin = at
    }
  }
  parts.push({ from: begin, to })
  return parts
}

function classAt(units: number[], at: number): number {
  const unit = units[at] ?? 0
  if (unit === underscore) return isBesideArabic(units, at) ? separator : letter
  if (unit >= 0xd800 && unit < 0xdc00) return classify(String.fromCharCode(unit, units[at + 1] ?? 0))
  let known = classes[unit] ?? 0
  if (known === 0) {
    known = classify(String.fromCharCode(unit))
    classes[unit] = known
  }
  return known
}

/** In the Arabic script, `_` separates the words of a hashtag. */
function isBesideArabic(units: number[], at: number): boolean {
  return [units[at - 1], units[at + 1]].some((unit) => unit !== undefined && unit !== underscore && isArabic(unit))
}

function isArabic(unit: number): boolean {
  return classAt([unit], 0) === arabic
}

function classify(character: string): number {
  if (runningScript.test(character)) return anyMark.test(character) ? mark : running
  if (anyMark.test(character)) return mark
  if (!wordCharacter.test(character)) return separator
  return arabicLetter.test(character) ? arabic : letter
}

function unitCount(units: number[], at: number): number {
  const unit = units[at] ?? 0
  return unit >= 0xd800 && unit < 0xdc00 && at + 1 < units.length ? 2 : 1
}
