import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { TranscriptLine } from './transcript-line.ts'
import { PromptedWord } from './word-lists/prompted-words.ts'

/** A passage, in milliseconds of the recording. */
const Passage = z.object({ startMs: z.number(), endMs: z.number() })

/** An utterance with the language detected in it. */
const Utterance = Passage.extend({ language: z.string(), probability: z.number().min(0).max(1) })
export type Utterance = z.infer<typeof Utterance>

/**
 * A finished window, as stored in a checkpoint. `key` contains the channel, the index and a fingerprint of everything that determines the
 * text (model, settings, requested language, pieces of the recording), so that results of another plan are never reused.
 */
export const WindowResult = z.object({
  key: z.string(),
  channel: z.int().min(0).max(1),
  index: z.int().nonnegative(),
  language: z.string(),
  languageProbability: z.number().min(0).max(1).nullable(),
  lines: z.array(TranscriptLine),
  /** Passages with only repetition loops, in milliseconds of the recording. */
  gaps: z.array(Passage),
  /** Passages of speech of more than 0.7 s in which no word was understood. */
  notUnderstood: z.array(Passage).default([]),
  /** Text that was left out because no one can say it in that time. */
  impossible: z.array(Passage.extend({ text: z.string() })).default([]),
  /** The utterances in it with their detected languages, so that another attempt need not detect them again; none by default. */
  utterances: z.array(Utterance).default([]),
  /** Listed words that the model heard when prompted with them, where `lines` may have other words; none by default. */
  promptedWords: z.array(PromptedWord).default([]),
  /** Engines that transcribed it, with their versions, such as `whisper.cpp 1.9.3`, or hosts of servers. */
  engines: z.array(z.string()).default([]),
  /** Set if keywords were looked for among what was nearly heard. */
  isSearched: z.literal(true).optional(),
})
export type WindowResult = z.infer<typeof WindowResult>

/** Stores finished windows between attempts at one job. */
export interface Checkpoint {
  /** Returns the saved windows in any order; results of other plans may be among them. */
  load(): Promise<WindowResult[]>
  /** Saves one window; windows come in any order. A window counts as finished only when saved; if saving fails, the transcription fails. */
  save(result: WindowResult): Promise<void>
}

/** Incremented when a code change makes the same window produce different text or times. */
const planVersion = 6

/** Returns the key of a window; see WindowResult. */
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
