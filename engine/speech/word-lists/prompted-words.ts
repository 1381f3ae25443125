import { z } from 'zod'
import type { TranscriptLine } from '../transcript-line.ts'
import { readWords } from './line-words.ts'
import { lettersOf, type SpellingIndex } from './listed-spellings.ts'
import { soundDistance } from './sound-distance.ts'

/** A listed word that the model heard when prompted with it. Times are milliseconds of the recording. */
export const PromptedWord = z.object({ written: z.string(), startMs: z.number(), endMs: z.number() })
export type PromptedWord = z.infer<typeof PromptedWord>

/** Words stay if the model is more certain of them than this without a prompt. */
export const maxPromptedConfidence = 0.95

/**
 * A word is worth a prompt if what was heard without it differs by at most this share of its letters, and the word is written only there: a
 * model may copy a prompt to places where nothing of it was said.
 */
export const maxPromptedShare = 0.45

/** The last words of a prompt influence a model most, and long prompts have less influence. */
const maxPromptWords = 20

/** Words that were heard as more words than this are rare, and looking for them takes time. */
const maxSpanWords = 3

/** Returns how different letters sound from those of a listed word, as a share of its letters: 0 means the same. See `lettersOf`. */
export function soundShare(letters: string, wanted: string): number {
  const limit = maxPromptedShare * wanted.length
  if (Math.abs(wanted.length - letters.length) > limit) return Number.POSITIVE_INFINITY
  return soundDistance(letters, wanted, limit) / wanted.length
}

/** A listed word prepared for many comparisons. */
export interface ComparableWord {
  written: string
  /** See `lettersOf`. */
  letters: string
  presence: number
}

export function prepareComparison(written: string): ComparableWord {
  const letters = lettersOf(written)
  return { written, letters, presence: lettersPresent(letters) }
}

/** Returns which letters occur, as bits; several letters share a bit. */
function lettersPresent(letters: string): number {
  let bits = 0
  for (let at = 0; at < letters.length; at += 1) bits |= 1 << (letters.charCodeAt(at) % 32)
  return bits
}

/** Whether too many letters of a word are missing for it to be near: each costs at least half. Saves nine distance computations in ten. */
function isMissingTooMuch({ letters, presence }: ComparableWord, heard: number): boolean {
  let missing = presence & ~heard
  let count = 0
  for (; missing !== 0; missing &= missing - 1) count += 1
  return count / 2 > maxPromptedShare * letters.length
}

/** Returns, each once, the letters of the passages of which the model was uncertain and that are not listed words. */
function doubtfulLetters(
  lines: readonly Pick<TranscriptLine, 'words'>[],
  spellings: SpellingIndex,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { words } of lines) {
    const text = readWords(words)
    for (const span of text.freeSpans()) {
      if (span.count > maxSpanWords) continue
      const heard = text.heardAt(span)
      const isDoubtful = (heard.confidence ?? 0) < maxPromptedConfidence
      if (isDoubtful && spellings.findSame(heard) === undefined) found.add(heard.letters)
    }
  }
  return found
}

/**
 * Returns the listed words that may have been said where the model was uncertain, the likeliest last, as in a prompt. Empty if all words
 * are certain or resemble no listed word.
 */
export function findLikelyWords(
  lines: readonly Pick<TranscriptLine, 'words'>[],
  words: readonly ComparableWord[],
  spellings: SpellingIndex,
): string[] {
  const shares = new Map<string, number>()
  for (const letters of doubtfulLetters(lines, spellings)) {
    const presence = lettersPresent(letters)
    for (const word of words) {
      if (isMissingTooMuch(word, presence)) continue
      const share = soundShare(letters, word.letters)
      if (share <= (shares.get(word.written) ?? maxPromptedShare)) shares.set(word.written, share)
    }
  }
  const ranked = [...shares].toSorted(([, one], [, other]) => one - other)
  return ranked
    .slice(0, maxPromptWords)
    .map(([word]) => word)
    .toReversed()
}

/** Returns the listed words found in lines, as they are listed. */
export function findListedWords(
  lines: readonly Pick<TranscriptLine, 'words'>[],
  spellings: SpellingIndex,
): PromptedWord[] {
  return lines.flatMap(({ words }) => {
    const text = readWords(words)
    return text.freeSpans().flatMap((span) => {
      const written = text.isTaken(span) ? undefined : spellings.findSame(text.heardAt(span))
      const [first, last] = [words[span.from], words[span.from + span.count - 1]]
      if (written === undefined || !first || !last) return []
      text.take(span)
      return [{ written, startMs: first.startMs, endMs: last.endMs }]
    })
  })
}
