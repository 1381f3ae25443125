import { z } from 'zod'
import { TranscriptionLanguageChoice } from './languages.ts'
import { Provenance } from './provenance.ts'
import { Id, Moment } from './scalars.ts'

/** The request with which a transcription was started. */
export const TranscriptionRequest = z.object({
  language: TranscriptionLanguageChoice,
  /** A language for each channel, left first; null uses `language` for all. */
  channel_languages: z.array(TranscriptionLanguageChoice).nullable(),
  names: z.array(z.string()),
  speaker_count: z.int().positive().nullable(),
  split_voices: z.array(z.boolean()),
  /** Id of the chosen speech model; null uses the model that is set for the language. */
  model: z.string().nullable(),
})
export type TranscriptionRequest = z.infer<typeof TranscriptionRequest>

/** One of the transcriptions of a recording. Exactly one is current: the newest, or an earlier one that was restored. */
export const TranscriptVersion = z.object({
  transcription_id: Id,
  is_current: z.boolean(),
  finished_at: Moment,
  request: TranscriptionRequest,
  model: z.string(),
  provenance: Provenance.optional(),
  line_count: z.int().nonnegative(),
  word_count: z.int().nonnegative(),
  /** The number of lines changed by a person. */
  edited_line_count: z.int().nonnegative(),
  /** Languages into which this version is translated. */
  target_languages: z.array(z.string()),
})
export type TranscriptVersion = z.infer<typeof TranscriptVersion>

/** A speech model that a live engine can run, with its languages. */
export const InstalledSpeechModel = z.object({
  id: z.string(),
  name: z.string(),
  languages: z.array(z.string()),
  /** Whether it can detect languages, which `auto` and `multi` require. */
  detects_languages: z.boolean(),
})
export type InstalledSpeechModel = z.infer<typeof InstalledSpeechModel>
