import { z } from 'zod'
import { WordCorrection } from '#contract/transcription.ts'

/** A word of a line. Times are milliseconds of the recording. `confidence` is null if the engine does not report it. */
export const LineWord = z.object({
  text: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  confidence: z.number().nullable(),
  /** Set on the first of the words that were corrected by a word list. */
  correction: WordCorrection.optional(),
  /** Keywords that may have been said instead of `count` words, starting at this one. */
  nearlyHeard: z
    .array(z.object({ keyword: z.string(), count: z.int().positive(), probability: z.number().min(0).max(1) }))
    .optional(),
})
export type LineWord = z.infer<typeof LineWord>

/** A line of the transcript, never empty. Times are milliseconds of the recording. */
export const TranscriptLine = z.object({
  startMs: z.number(),
  endMs: z.number(),
  text: z.string(),
  /** Mean confidence of its words, 0 to 1; null if the engine does not report it. */
  confidence: z.number().min(0).max(1).nullable(),
  words: z.array(LineWord),
})
export type TranscriptLine = z.infer<typeof TranscriptLine>
