import { z } from 'zod'
import { Provenance } from './provenance.ts'

/**
 * Why the completion for a line is not accepted as a translation. `echo`: it repeats the text, the prompt or an example. `preamble`: it
 * comments on the translation. `thoughts`: it contains reasoning. `loop`: it repeats itself. `empty`: it is empty. `failed`: the model
 * returned none.
 */
export const notTranslatedReasons = [
  'echo',
  'preamble',
  'refusal',
  'thoughts',
  'markup',
  'wrong_script',
  'wrong_language',
  'loop',
  'length',
  'empty',
  'failed',
] as const

export const NotTranslated = z.object({
  reason: z.enum(notTranslatedReasons),
  /** More detail for people; never the completion itself. */
  detail: z.string().optional(),
})
export type NotTranslated = z.infer<typeof NotTranslated>

/**
 * The translation of one segment with its original. `error` is a sentence if this segment could not be translated; `not_translated`
 * says why the model's completion was not accepted.
 */
export const TranslatedSegment = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  translated_text: z.string(),
  error: z.string().nullable(),
  not_translated: NotTranslated.nullable().optional(),
  /** The pivot language, used because no model knows both languages; missing if one model translated directly. */
  via: z.string().optional(),
})
export type TranslatedSegment = z.infer<typeof TranslatedSegment>

/** One speaker's translation (audio-workflow specification, section 3); a failure of one speaker does not affect the others. */
export const SpeakerTranslation = z.object({
  speaker: z.string(),
  translated_text: z.string(),
  error: z.string().nullable(),
  segments: z.array(TranslatedSegment),
})
export type SpeakerTranslation = z.infer<typeof SpeakerTranslation>

/** The finished translation (audio-workflow specification, section 3). `segments` is our addition; a plain text has none. */
export const TranslationResult = z.object({
  translated_text: z.string(),
  original_text: z.string(),
  source_language: z.string(),
  target_language: z.string(),
  num_speakers: z.int().nonnegative(),
  speaker_translations: z.array(SpeakerTranslation),
  segments: z.array(TranslatedSegment),
  model: z.string(),
  provenance: Provenance.optional(),
  /** The pivot language for all or part of it, used because no model knows both languages; missing or null if none was used. */
  via: z.string().nullable().optional(),
})
export type TranslationResult = z.infer<typeof TranslationResult>

/** A partial update, sent after each translated segment: `current_segment` of `total_segments` are done. */
export const TranslationProgress = z.object({
  current_segment: z.int().nonnegative(),
  total_segments: z.int().nonnegative(),
  latest_segment: TranslatedSegment.extend({ speaker: z.string().nullable() }).nullable(),
  partial_text: z.string(),
  /** Estimated time for the remaining segments as of this report; missing until the first segment is done. */
  seconds_left: z.number().nonnegative().optional(),
})
export type TranslationProgress = z.infer<typeof TranslationProgress>
