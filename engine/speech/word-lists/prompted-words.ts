import { z } from 'zod'
import type { TranscriptLine } from '../transcript-line.ts'
import { readWords } from './line-words.ts'
import { lettersOf, type ListedSpellings } from './listed-spellings.ts'
import { soundDistance } from './sound-distance.ts'

/** A listed word that the model heard with it as prompt. Times are milliseconds of the recording. */
export const PromptedWord = z.object({ written: z.string(), startMs: z.number(), endMs: z.number() })
export type PromptedWord = z.infer<typeof PromptedWord>

/** What the model is surer of without a prompt stays. */
export const maxPromptedConfidence = 0.95

/**
 * A word is worth a prompt where what was heard without differs by at most this share of its letters, and is written there alone: a model
 * may copy a prompt to where nothing of it was said.
 */
export const maxPromptedShare = 0.45

/** The last words of a prompt influence a model most, and long ones less. */
const maxPromptWords = 20

/** Words that were heard as more than this are rare, and looking for them takes time. */
const maxSpanWords = 3

/** Returns how different words sound from a listed one, as a share of its letters: 0 is the same. */
export function soundShare(letters: string, listed: string): number {
  const wanted = lettersOf(listed)
  const limit = maxPromptedShare * wanted.length
  if (Math.abs(wanted.length - letters.length) > limit) return Number.POSITIVE_INFINITY
  return soundDistance(letters, wanted, limit) / wanted.length
}

/**
 * Returns the listed words that may have been said where the model was not sure, the likeliest last, as a prompt has them. None where all
 * words are certain or resemble none.
 */
export function findLikelyWords(
  lines: readonly Pick<TranscriptLine, 'words'>[],
  words: readonly string[],
  spellings: ListedSpellings,
): string[] {
  const shares = new Map<string, number>()
  for (const line of lines) {
    const text = readWords(line.words)
    for (const span of text.freeSpans()) {
      const heard = text.heardAt(span)
      if (span.count > maxSpanWords || (heard.confidence ?? 0) >= maxPromptedConfidence) continue
      if (spellings.findSame(heard) !== undefined) continue
      for (const word of words) {
        const share = soundShare(heard.letters, word)
        if (share <= (shares.get(word) ?? maxPromptedShare)) shares.set(word, share)
      }
    }
  }
  const ranked = [...shares].toSorted(([, one], [, other]) => one - other)
  return ranked
    .slice(0, maxPromptWords)
    .map(([word]) => word)
    .toReversed()
}

/** Returns the listed words in lines, as they are listed. */
export function findListedWords(
  lines: readonly Pick<TranscriptLine, 'words'>[],
  spellings: ListedSpellings,
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
