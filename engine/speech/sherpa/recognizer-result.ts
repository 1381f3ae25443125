import { z } from 'zod'

const seconds = z.array(z.number()).default([])

/** What sherpa-onnx returns for a stream: times in seconds; a family leaves empty what it does not know. */
export const RecognizerResult = z.object({
  text: z.string(),
  lang: z.string().default(''),
  /** A token that begins a word begins with a blank. Letters that span tokens are broken. */
  tokens: z.array(z.string()).default([]),
  timestamps: seconds,
  durations: seconds,
  ys_log_probs: seconds,
  segment_timestamps: seconds,
  segment_durations: seconds,
  segment_texts: z.array(z.string()).default([]),
})
export type RecognizerResult = z.infer<typeof RecognizerResult>
