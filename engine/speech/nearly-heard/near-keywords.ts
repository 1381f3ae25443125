import { lettersOf } from '../word-lists/listed-spellings.ts'
import { soundDistance } from '../word-lists/sound-distance.ts'

/** A keyword that sounds like words in a text. */
export interface NearKeyword {
  keyword: string
  /** Its letters for comparison: folded, without blanks. */
  letters: string
  /** Index of the first of the words. */
  first: number
  /** The number of words. */
  count: number
  /** soundDistance as a share of the keyword's letters, above 0. */
  distance: number
}

interface PreparedKeyword {
  keyword: string
  letters: string
  words: number
}

/** Shorter keywords sound like too many other words. */
const minLetters = 4
/** In trials, half of all places were farther from what was written, but only one in eleven of the probable keywords that were said. */
const maxDistance = 0.25
/** A keyword may be written as one word more than it consists of. */
const extraWords = 1
/** Longer keywords are phrases, which are found as written. */
const maxWords = 3
/** Maximum number of keywords to look for in one text, in their order; time grows with the number. */
const maxKeywords = 1_000
/** Maximum number of keywords kept near the same place, the nearest ones. */
const maxPerPlace = 4

/** Returns a function that finds keywords that sound like words in a text, in the order of the text and at each place the nearest first. */
export function createNearKeywordFinder(keywords: readonly string[]): (words: readonly string[]) => NearKeyword[] {
  const prepared = keywords.slice(0, maxKeywords).flatMap((keyword): PreparedKeyword[] => {
    const letters = lettersOf(keyword)
    const words = keyword.trim().split(/\s+/u).length
    return letters.length >= minLetters && words <= maxWords ? [{ keyword, letters, words }] : []
  })
  const known = new Set(prepared.map(({ letters }) => letters))
  return (words) => {
    const letters = words.map(lettersOf)
    const all = letters.flatMap((_, first) => {
      // A word that is itself a keyword is certain.
      if (known.has(letters[first] ?? '')) return []
      const near = prepared.flatMap((keyword) => nearestSpan(keyword, letters, first) ?? [])
      return near.toSorted((one, other) => one.distance - other.distance).slice(0, maxPerPlace)
    })
    const byKeyword = Map.groupBy(all, ({ keyword }) => keyword)
    return all.filter((one) => !byKeyword.get(one.keyword)?.some((other) => isBetterPlace(other, one)))
  }
}

/** Returns the words from `first` that sound most like the keyword; undefined if it is written exactly there, or none are near enough. */
function nearestSpan(
  { keyword, letters, words }: PreparedKeyword,
  texts: readonly string[],
  first: number,
): NearKeyword | undefined {
  const limit = maxDistance * letters.length
  let best: NearKeyword | undefined
  let heard = ''
  for (let count = 1; count <= words + extraWords && first + count <= texts.length; count += 1) {
    const word = texts[first + count - 1] ?? ''
    // The keyword is written exactly.
    if (word === letters) break
    heard += word
    if (Math.abs(heard.length - letters.length) > 2 * limit) continue
    const distance = soundDistance(heard, letters, limit)
    if (distance === 0) return undefined
    const share = distance / letters.length
    if (distance <= limit && share < (best?.distance ?? Infinity))
      best = { keyword, letters, first, count, distance: share }
  }
  return best
}

/** Whether a keyword is nearer at a place that shares words with another. */
function isBetterPlace(one: NearKeyword, other: NearKeyword): boolean {
  const isApart = one.first + one.count <= other.first || other.first + other.count <= one.first
  if (one === other || isApart) return false
  return one.distance < other.distance || (one.distance === other.distance && one.first < other.first)
}
