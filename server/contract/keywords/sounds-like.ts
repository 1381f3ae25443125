import { editDistance } from '../edit-distance.ts'
import { mayBeOneName } from '../name-sounds/name-parts.ts'
import { compareNames, type NameSound } from '../name-sounds/name-sound.ts'
import { maxNameWords, soundOfName } from '../name-sounds/names-in-text.ts'
import { searchKeys, storedKeys } from '../name-sounds/sound-key.ts'
import { type FoldedText, foldKeyword } from './fold.ts'
import type { SimilarCandidate, SimilarKeyword, TextWord } from './similar.ts'
import { isWholeWord } from './word-edges.ts'

interface SimilarEntry extends SimilarKeyword {
  words: PreparedWord[]
}

interface PreparedWord {
  folded: string
  /** The number of letters that may differ. */
  allowed: number
  letters: number
}

interface SpelledKeyword extends SimilarKeyword {
  sound: NameSound
}

/** Latin words of three letters sound like too many others; Arabic script omits vowels, so its words may be shorter. */
const minLatinLetters = 4
const latinWord = /^[a-z ]+$/u

/**
 * Returns how many letters of a folded word may be added, omitted or replaced for it to sound like another: none up to 3 letters, where one
 * letter makes a different word, 1 up to 6, and 2 beyond.
 */
export function allowedDistance(folded: string): number {
  const { length } = folded
  if (length <= 3) return 0
  return length <= 6 ? 1 : 2
}

/** Returns whether the option can find anything more for this keyword: one of its words is long enough, or it may be a name. */
export function canSoundLike(keyword: string): boolean {
  const words = foldKeyword(keyword).split(' ')
  return words.some((word) => allowedDistance(word) > 0) || soundOfKeyword(keyword) !== undefined
}

/**
 * Returns a function that finds what sounds like the keywords: words that differ in a letter or two, and other spellings of a name, in
 * Arabic and Latin script. The words of a keyword are compared one by one and must be adjacent; a name may be one word or several.
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

  /** Caches the keywords that a word could begin, because texts repeat words. */
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
  // A replaced letter changes at most two bits of the letter set: a cheap test that rejects most words.
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

/** Returns how a keyword sounds; undefined if it cannot be a name, or sounds like too many other words. */
function soundOfKeyword(keyword: string): NameSound | undefined {
  const folded = foldKeyword(keyword)
  const words = folded.split(' ')
  if (words.length > maxNameWords || words.some(({ length }) => length < 3)) return undefined
  return latinWord.test(folded) && folded.length < minLatinLetters ? undefined : soundOfName(words)
}

/** Returns a function that finds other spellings of the keywords that may be names. The matches of each form are looked up once. */
function createNameFinder(
  keywords: readonly SimilarKeyword[],
): (text: FoldedText, words: TextWord[]) => SimilarCandidate[] {
  const byKey = new Map<string, SpelledKeyword[]>()
  for (const { category, keyword } of keywords) {
    const sound = soundOfKeyword(keyword)
    if (!sound) continue
    for (const key of searchKeys(sound)) byKey.set(key, [...(byKey.get(key) ?? []), { category, keyword, sound }])
  }
  const known = new Map<string, { entry: SpelledKeyword; distance: number }[]>()

  function matchesOf(form: string[]) {
    const name = form.join(' ')
    let matches = known.get(name)
    if (!matches) {
      const sound = soundOfName(form)
      const candidates = sound ? new Set(storedKeys(sound).flatMap((key) => byKey.get(key) ?? [])) : []
      matches = [...candidates].flatMap((entry) => {
        const distance = sound && compareNames(entry.sound, sound)
        // Never 0, which is a literal match, and below 1, which is a word with one different letter.
        return distance === undefined ? [] : [{ entry, distance: Math.min(0.99, (distance + 1) / 100) }]
      })
      known.set(name, matches)
    }
    return matches
  }

  return (text, words) => {
    if (byKey.size === 0) return []
    return words.flatMap((first, index) =>
      listRuns(text, words, index).flatMap((run) => {
        const [from, to] = [first.from, run.at(-1)?.to ?? first.to]
        if (!isWholeWord(text, from, to)) return []
        const matches = matchesOf(run.map(({ folded }) => folded))
        return matches.map(({ entry: { category, keyword }, distance }) => ({ category, keyword, from, to, distance }))
      }),
    )
  }
}

/** Returns the word at an index, and the runs of words starting there that may be one name. */
function listRuns({ units }: FoldedText, words: TextWord[], index: number): TextWord[][] {
  const runs: TextWord[][] = []
  let run: TextWord[] = []
  for (const word of words.slice(index, index + maxNameWords)) {
    const previous = run.at(-1)
    const between = previous ? String.fromCharCode(...units.slice(previous.to, word.from)) : ''
    if (previous && !mayBeOneName({ first: previous.folded, second: word.folded, between })) break
    run = [...run, word]
    runs.push(run)
  }
  return runs
}
