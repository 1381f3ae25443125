/**
 * A text in the form in which keywords are compared, with its offsets in the original. `units` are UTF-16 units; unit `i` comes from
 * `starts[i]` to `ends[i]` of the original. When a character folds to several units, all of them have the same span.
 */
export interface FoldedText {
  units: number[]
  starts: number[]
  ends: number[]
}

// Letters that keyboards and spelling habits interchange: docs/decisions/keyword-matching.md. A hamza, madda or other mark
// that is part of a letter is dropped with the marks, because letters are decomposed first.
const sameLetter: Record<string, string> = {
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
  ة: 'ه',
  ۃ: 'ه',
  ہ: 'ه',
  ە: 'ه',
  ٱ: 'ا',
  ٲ: 'ا',
  ٳ: 'ا',
  ڪ: 'ک',
  ګ: 'گ',
  // Pashto is written with either yeh within a word; ۍ and ی are forms of one word.
  ې: 'ی',
  ۍ: 'ی',
  // One sound, written with the Pashto or the Urdu letter; no language has both.
  ټ: 'ٹ',
  ډ: 'ڈ',
  ړ: 'ڑ',
  ς: 'σ',
  // Latin letters without a decomposition.
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ı: 'i',
}

const tatweel = '\u0640'
const arabicMark = /[\p{M}&&\p{Script_Extensions=Arabic}]/v
const invisible = /\p{Default_Ignorable_Code_Point}/u
const anyMark = /\p{M}/u
const latinLetter = /\p{Script=Latin}/u
const whitespace = /\s/u
const digit = /[٠-٩۰-۹]/u
const presentationForm = /[\uFB50-\uFDFF\uFE70-\uFEFC]/u

/**
 * Folds case, accents of Latin letters, and the letters, digits and marks of the Arabic script (docs/decisions/keyword-matching.md). A run
 * of white space becomes one space; invisible characters are removed.
 */
export function foldText(text: string): FoldedText {
  const folded: FoldedText = { units: [], starts: [], ends: [] }
  for (let start = 0; start < text.length;) {
    const codePoint = text.codePointAt(start) ?? 0
    const end = start + (codePoint > 0xffff ? 2 : 1)
    append(folded, foldCodePoint(codePoint), start, end)
    start = end
  }
  return folded
}

/** Returns a keyword in the form in which texts are compared, trimmed; empty when nothing visible is left. */
export function foldKeyword(keyword: string): string {
  return foldText(keyword)
    .units.map((unit) => String.fromCharCode(unit))
    .join('')
    .trim()
}

interface FoldedCodePoint {
  units: number[]
  /** A mark that was dropped but still belongs to the character before it. */
  isDroppedMark: boolean
  /** A mark that is kept, except after a Latin letter: й is a separate letter, é is not. */
  isAccent: boolean
}

const space = 0x20
const cache = new Map<number, FoldedCodePoint>()

function append({ units, starts, ends }: FoldedText, folded: FoldedCodePoint, start: number, end: number): void {
  const last = units.length - 1
  const isDropped = folded.isDroppedMark || (folded.isAccent && isLatin(units[last]))
  if (isDropped && last >= 0 && units[last] !== space) {
    ends[last] = end
    return
  }
  for (const unit of folded.units) {
    if (unit === space && units.at(-1) === space) {
      ends[units.length - 1] = end
      continue
    }
    units.push(unit)
    starts.push(start)
    ends.push(end)
  }
}

function foldCodePoint(codePoint: number): FoldedCodePoint {
  let folded = cache.get(codePoint)
  if (!folded) {
    folded = computeFold(String.fromCodePoint(codePoint))
    cache.set(codePoint, folded)
  }
  return folded
}

function computeFold(character: string): FoldedCodePoint {
  const form = presentationForm.test(character) ? 'NFKD' : 'NFD'
  const letters = dropAccents(character.toLowerCase().normalize(form)).map(foldLetter).join('')
  const units = Array.from({ length: letters.length }, (_, index) => letters.charCodeAt(index))
  const isDroppedMark = units.length === 0 && (character === tatweel || anyMark.test(character))
  return { units, isDroppedMark, isAccent: units.length > 0 && anyMark.test(character) }
}

/** Returns the characters of a decomposed letter; without its marks if it is Latin. */
function dropAccents(letter: string): string[] {
  const [base = '', ...rest] = letter
  return latinLetter.test(base) ? [base, ...rest.filter((part) => !anyMark.test(part))] : [base, ...rest]
}

function isLatin(unit: number | undefined): boolean {
  return unit !== undefined && latinLetter.test(String.fromCharCode(unit))
}

function foldLetter(letter: string): string {
  if (letter === tatweel || arabicMark.test(letter) || invisible.test(letter)) return ''
  if (whitespace.test(letter)) return ' '
  if (digit.test(letter)) return String((letter.codePointAt(0) ?? 0) & 0xf)
  return sameLetter[letter] ?? letter
}
