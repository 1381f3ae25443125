import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { TranscriptLine } from './transcript-line.ts'

/**
 * A finished window, as a checkpoint keeps it. `key` holds channel, index and a fingerprint of all that decides the text (model,
 * settings, language asked for, pieces of the recording), so that a result of another plan is never taken for this one's.
 */
export const WindowResult = z.object({
  key: z.string(),
  channel: z.int().min(0).max(1),
  index: z.int().nonnegative(),
  language: z.string(),
  languageProbability: z.number().min(0).max(1).nullable(),
  lines: z.array(TranscriptLine),
  /** Where only loops of the decoder were heard, in milliseconds of the recording. */
  gaps: z.array(z.object({ startMs: z.number(), endMs: z.number() })),
  /** What decoded it: engines with their versions, such as `whisper.cpp 1.9.3`, or hosts of servers. */
  engines: z.array(z.string()).default([]),
})
export type WindowResult = z.infer<typeof WindowResult>

/** Where finished windows are kept between attempts at one job. */
export interface Checkpoint {
  /** What was saved before, in any order; results of other plans may be among it. */
  load(): Promise<WindowResult[]>
  /** Keeps one more, in any order. Its window counts as finished only then; a failure ends the work. */
  save(result: WindowResult): Promise<void>
}

/** Raised when a change of ours makes the same window give other text or times. */
const planVersion = 3

/** The key of a window; see WindowResult. */
export function windowKey(
  { channel, index, window }: { channel: number; index: number; window: SpeechWindow },
  { model, languageChoice, prompt }: { model: SpeechModel; languageChoice: string; prompt: string },
): string {
  const { id, contentHash, sha256, sha1, sizeBytes, sherpa, decoding, languageDecoding } = model
  const weights = [id, contentHash ?? sha256 ?? sha1 ?? sizeBytes, sherpa?.files, decoding, languageDecoding]
  const facts = [planVersion, weights, languageChoice, prompt, window.pieces]
  const fingerprint = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
  return `${channel}:${index}:${fingerprint}`
}
