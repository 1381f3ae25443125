import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { overlapMs } from './reference.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

export interface TimedWord {
  text: string
  startMs: number
  endMs: number
}

/** How far a word may be from the speech of its own channel: word times are less certain than line times. */
const toleranceMs = 500

/** Returns the folded words of a line with their own times, or with the line's times if the engine gives none. */
export function timedWords({ startMs, endMs, text, words }: Line): TimedWord[] {
  const timed = words && words.length > 0 ? words : [{ text, startMs, endMs }]
  return timed.flatMap((word) => foldedWords(word.text).map((folded) => ({ ...word, text: folded })))
}

/** Whether there is no speech in a channel around a time. */
export function isSilentAround(span: { startMs: number; endMs: number }, said: readonly ReferenceUtterance[]): boolean {
  const around = { startMs: span.startMs - toleranceMs, endMs: span.endMs + toleranceMs }
  return said.every((utterance) => overlapMs(utterance, around) === 0)
}

/** Whether a word is at a time when its own channel is silent and the other speaker says that word. */
export function isWrongSpeakersWord(
  word: TimedWord,
  { said, others }: { said: readonly ReferenceUtterance[]; others: readonly ReferenceUtterance[] },
): boolean {
  if (!isSilentAround(word, said)) return false
  return others.some((other) => overlapMs(other, word) > 0 && foldedWords(other.text).includes(word.text))
}
