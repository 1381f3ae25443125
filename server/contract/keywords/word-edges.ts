import type { FoldedText } from './fold.ts'

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u
const arabicLetter = /\p{Script=Arabic}/u
// Scripts written without spaces between words, in which a word may begin and end anywhere.
const runningScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const mark = /\p{M}/u

/**
 * Returns whether the span `from` to `to` (end exclusive) of a folded text is a separate word: complete characters of the original,
 * with the edge of the text or a word boundary on either side.
 */
export function isWholeWord(text: FoldedText, from: number, to: number): boolean {
  if (cutsCharacter(text, from) || cutsCharacter(text, to)) return false
  const { units } = text
  return (
    isEdge(codePointFrom(units, from), codePointBefore(units, from)) &&
    isEdge(codePointBefore(units, to), codePointFrom(units, to))
  )
}

/** Returns whether the position lies inside the folded form of one character of the original. */
function cutsCharacter({ units, starts }: FoldedText, at: number): boolean {
  return at > 0 && at < units.length && starts[at] === starts[at - 1]
}

function isEdge(own: string, neighbour: string): boolean {
  if (neighbour === '') return true
  if (runningScript.test(own)) return !mark.test(neighbour)
  // \b between Latin words; in the Arabic script, `_` is punctuation that separates the words of a hashtag.
  if (!wordCharacter.test(own)) return true
  if (neighbour === '_') return arabicLetter.test(own)
  return !wordCharacter.test(neighbour)
}

function codePointFrom(units: number[], at: number): string {
  const unit = units[at]
  if (unit === undefined) return ''
  const next = units[at + 1]
  return isHigh(unit) && isLow(next) ? String.fromCharCode(unit, next) : String.fromCharCode(unit)
}

function codePointBefore(units: number[], at: number): string {
  const unit = units[at - 1]
  if (unit === undefined) return ''
  const previous = units[at - 2]
  return isLow(unit) && isHigh(previous) ? String.fromCharCode(previous, unit) : String.fromCharCode(unit)
}

function isHigh(unit: number | undefined): unit is number {
  return unit !== undefined && unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number | undefined): unit is number {
  return unit !== undefined && unit >= 0xdc00 && unit < 0xe000
}
