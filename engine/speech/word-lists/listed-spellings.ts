import { foldKeyword } from '#contract/keywords/fold.ts'
import { maxPartsOfListedWord, type ListedWord } from '#contract/word-lists.ts'
import { soundDistance } from './sound-distance.ts'

/** Maximum number of words as which one listed word may have been heard: one more than it may consist of. */
export const maxHeardWords = maxPartsOfListedWord + 1

/** Shorter words are replaced only if a person listed exactly this spelling. */
const minNearLetters = 4

/** Words that were joined or split are replaced only if they have at least this many letters: short ones match by chance. */
const minJoinedLetters = 6

/** Below this confidence, a word may sound farther from a listed word. */
const doubtfulBelow = 0.6
const doubtfulExtra = 0.5

/** Share of the distance that is allowed if words were joined or split. */
const joinedShare = 0.7

/** Returns the letters by which words are compared: folded, without blanks and punctuation. In Indian scripts, vowel signs are letters. */
export function lettersOf(text: string): string {
  return foldKeyword(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
}

/** Adjacent words of a text. */
export interface HeardPhrase {
  letters: string
  /** The number of words. */
  count: number
  /** Mean confidence of the words, 0 to 1; null if the engine does not report it. */
  confidence: number | null
}

interface Spelling {
  word: string
  letters: string
  parts: number
}

export interface SimilarWord {
  word: string
  /** See soundDistance. */
  distance: number
}

export interface SpellingIndex {
  /** Returns the listed word that this is, ignoring case, accents and blanks. */
  findSame: (heard: HeardPhrase) => string | undefined
  /** Returns the listed word of which this was listed as another spelling. */
  findHeardAs: (heard: HeardPhrase) => string | undefined
  /** Returns the listed word that sounds nearest, if it is near enough and no other word is as near. */
  findNear: (heard: HeardPhrase) => SimilarWord | undefined
}

/** Prepares words for lookup. Of two entries with the same word, the first determines how it is written; the spellings of both count. */
export function indexSpellings(words: readonly ListedWord[]): SpellingIndex {
  const same = new Map<string, Spelling>()
  const heardAs = new Map<string, Spelling>()
  for (const { word, heard_as: others } of words) {
    const letters = lettersOf(word)
    if (letters === '') continue
    const known = same.get(letters) ?? { word, letters, parts: partsOf(word) }
    same.set(letters, known)
    for (const other of others) {
      const key = lettersOf(other)
      if (key !== '' && !heardAs.has(key)) heardAs.set(key, { word: known.word, letters: key, parts: partsOf(other) })
    }
  }
  const near = [...same.values()].filter(({ letters }) => letters.length >= minNearLetters)
  const known = new Map<string, SimilarWord | undefined>()

  return {
    findSame: (heard) => wholeOf(same.get(heard.letters), heard),
    findHeardAs: (heard) => wholeOf(heardAs.get(heard.letters), heard),
    findNear(heard) {
      const { letters, count, confidence } = heard
      if (letters.length < minNearLetters) return undefined
      const isDoubtful = confidence !== null && confidence < doubtfulBelow
      // Texts repeat words.
      const key = `${count} ${isDoubtful} ${letters}`
      if (!known.has(key)) known.set(key, nearest(near, heard, isDoubtful ? doubtfulExtra : 0))
      return known.get(key)
    },
  }
}

function wholeOf(found: Spelling | undefined, { count }: HeardPhrase): string | undefined {
  if (!found) return undefined
  return found.parts === count || found.letters.length >= minJoinedLetters ? found.word : undefined
}

function nearest(spellings: readonly Spelling[], heard: HeardPhrase, extra: number): SimilarWord | undefined {
  let best: SimilarWord | undefined
  let isAmbiguous = false
  for (const spelling of spellings) {
    const distance = distanceTo(spelling, heard, extra)
    if (distance === undefined || (best && distance > best.distance)) continue
    isAmbiguous = best?.distance === distance
    best = { word: spelling.word, distance }
  }
  return isAmbiguous ? undefined : best
}

/** Returns undefined if the distance is too large. */
function distanceTo(
  { letters: listed, parts }: Spelling,
  { letters, count }: HeardPhrase,
  extra: number,
): number | undefined {
  const shorter = Math.min(listed.length, letters.length)
  const isJoined = parts !== count
  if (isJoined && (shorter < minJoinedLetters || Math.abs(parts - count) > 1)) return undefined
  const limit = (allowedDistance(shorter) + extra) * (isJoined ? joinedShare : 1)
  if (Math.abs(listed.length - letters.length) > 2 * limit || isAffixed(listed, letters)) return undefined
  const distance = soundDistance(letters, listed, limit)
  return distance <= limit ? distance : undefined
}

function allowedDistance(letters: number): number {
  if (letters < 6) return 0.5
  if (letters < 8) return 1
  return letters < 11 ? 1.5 : 2
}

/** Returns whether one word is the other with a prefix or suffix: an article, plural or preposition does not make it a different name. */
function isAffixed(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(short) || long.endsWith(short)
}

function partsOf(text: string): number {
  return text.split(' ').length
}
