import { editDistance } from '../edit-distance.ts'
import type { FoldedText } from './fold.ts'
import { foldKeyword } from './fold.ts'
import type { SimilarCandidate, SimilarKeyword, TextWord } from './similar.ts'
import { createNameFinder, soundOfKeyword } from './spelled-names.ts'
import { isWholeWord } from './word-edges.ts'

interface SimilarEntry extends SimilarKeyword {
  words: PreparedWord[]
}

interface PreparedWord {
  folded: string
  /** Letters that may differ. */
  allowed: number
  letters: number
}

/**
 * Returns how many letters of a folded word may be added, left out or replaced for it to sound like another: none up to 3 letters, where one letter
 * makes another word, 1 up to 6, 2 beyond.
 */
export function allowedDistance(folded: string): number {
  const { length } = folded
  if (length <= 3) return 0
  return length <= 6 ? 1 : 2
}

/** Returns whether the option finds anything more for this keyword: one of its words must be long enough, or it may be a name. */
export function canSoundLike(keyword: string): boolean {
  const words = foldKeyword(keyword).split(' ')
  return words.some((word) => allowedDistance(word) > 0) || soundOfKeyword(keyword) !== undefined
}

/**
 * Returns a function that finds what sounds like the keywords: words that differ in a letter or two, and other spellings of a name, in
 * Arabic script and in Latin. The words of a keyword are compared one by one, and must be adjacent; a name may be one word or several.
 */
export function createSimilarFinder(keywords: readonly SimilarKeyword[]): (text: FoldedText) => SimilarCandidate[] {
  const entries: SimilarEntry[] = keywords
    .map((keyword) => ({ ...keyword, words: foldKeyword(keyword.keyword).split(' ').map(prepare) }))
    .filter(({ words }) => words.some(({ allowed }) => allowed > 0))
  const findNames = createNameFinder(keywords)
  const known = new Map<string, PreparedWord>()
  const firstMatches = new Map<string, SimilarEntry[]>()

  function prepareOnce(word: string): PreparedWord {
    const prepared = known.get(word) ?? prepare(word)
    known.set(word, prepared)
    return prepared
  }

  /** Texts repeat words: the keywords that each could begin are looked up once. */
  function entriesFor(word: string): SimilarEntry[] {
    let found = firstMatches.get(word)
    if (!found) {
      found = entries.filter(({ words }) => words[0] && distanceOf(words[0], prepareOnce(word)) !== undefined)
      firstMatches.set(word, found)
    }
    return found
  }

  return (text) => {
    if (keywords.length === 0) return []
    const words = listWords(text)
    const similar = words.flatMap((word, index) =>
      entriesFor(word.folded).flatMap(({ category, keyword, words: wanted }) => {
        const own = words.slice(index, index + wanted.length)
        const distances = wanted.map((part, at) => {
          const other = own[at]
          return other && isNext(text, own[at - 1], other) ? distanceOf(part, prepareOnce(other.folded)) : undefined
        })
        if (distances.includes(undefined)) return []
        const distance = distances.reduce<number>((sum, part) => sum + (part ?? 0), 0)
        const [from, to] = [word.from, own.at(-1)?.to ?? word.to]
        return isWholeWord(text, from, to) ? [{ category, keyword, from, to, distance }] : []
      }),
    )
    return [...similar, ...findNames(text, words)]
  }
}

function prepare(folded: string): PreparedWord {
  let letters = 0
  for (let index = 0; index < folded.length; index += 1) letters |= 1 << (folded.charCodeAt(index) & 31)
  return { folded, allowed: allowedDistance(folded), letters }
}

/** Returns undefined above the distance that the keyword's word allows. */
function distanceOf(wanted: PreparedWord, other: PreparedWord): number | undefined {
  const { folded, allowed, letters } = wanted
  if (Math.abs(folded.length - other.folded.length) > allowed) return undefined
  // A replaced letter changes at most two of the letters that occur: a cheap test that rejects most words.
  if (countBits(letters ^ other.letters) > 2 * allowed) return undefined
  const distance = editDistance(folded, other.folded, allowed)
  return distance <= allowed ? distance : undefined
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

const wordCharacters = /[\p{L}\p{N}\p{M}]+/gu

/** Returns the runs of letters, digits and marks. */
function listWords({ units }: FoldedText): TextWord[] {
  const text = units.map((unit) => String.fromCharCode(unit)).join('')
  return Array.from(text.matchAll(wordCharacters), ({ 0: folded, index }) => ({
    folded,
    from: index,
    to: index + folded.length,
  }))
}

const space = 0x20

/** Returns whether a single space separates two words. */
function isNext({ units }: FoldedText, previous: TextWord | undefined, word: TextWord): boolean {
  return previous === undefined || (previous.to + 1 === word.from && units[previous.to] === space)
}
