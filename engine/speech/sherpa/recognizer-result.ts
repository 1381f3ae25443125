import { z } from 'zod'

const seconds = z.array(z.number()).default([])

/** The result of sherpa-onnx for a stream, with times in seconds; families leave unsupported fields empty. */
export const RecognizerResult = z.object({
  text: z.string(),
  /** The first token of a word starts with a space. Letters that are split across tokens are broken. */
  tokens: z.array(z.string()).default([]),
  timestamps: seconds,
  durations: seconds,
  ys_log_probs: seconds,
})
export type RecognizerResult = z.infer<typeof RecognizerResult>
