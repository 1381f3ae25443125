import { z } from 'zod'
import { Provenance } from './provenance.ts'

/**
 * Why a line's answer is not shown as a translation. `echo`: it repeats the text, the prompt or an example. `preamble`: it talks about
 * the translation. `thoughts`: it thinks aloud. `loop`: it says the same again and again. `empty`: nothing came. `failed`: no answer
 * could be had.
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
  /** More about it, for a person; never the answer itself. */
  detail: z.string().optional(),
})
export type NotTranslated = z.infer<typeof NotTranslated>

/**
 * One segment's translation beside its original. `error` is a sentence when this segment could not be translated; `not_translated`
 * says why where the model's answer was no translation.
 */
export const TranslatedSegment = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  translated_text: z.string(),
  error: z.string().nullable(),
  not_translated: NotTranslated.nullable().optional(),
  /** The language that the translation went over, because no model knows both; missing where one model did it at once. */
  via: z.string().optional(),
})
export type TranslatedSegment = z.infer<typeof TranslatedSegment>

/** One speaker's translation (audio-workflow specification, section 3); a failure of one speaker leaves the others whole. */
export const SpeakerTranslation = z.object({
  speaker: z.string(),
  translated_text: z.string(),
  error: z.string().nullable(),
  segments: z.array(TranslatedSegment),
})
export type SpeakerTranslation = z.infer<typeof SpeakerTranslation>

/** The finished translation (audio-workflow specification, section 3). `segments` is ours: a plain text has none. */
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
  /** The language that all or some of it went over, because no model knows both; missing or null where none did. */
  via: z.string().nullable().optional(),
})
export type TranslationResult = z.infer<typeof TranslationResult>

/** A partial update, sent after each translated segment: `current_segment` of `total_segments` are done. */
export const TranslationProgress = z.object({
  current_segment: z.int().nonnegative(),
  total_segments: z.int().nonnegative(),
  latest_segment: TranslatedSegment.extend({ speaker: z.string().nullable() }).nullable(),
  partial_text: z.string(),
})
export type TranslationProgress = z.infer<typeof TranslationProgress>
