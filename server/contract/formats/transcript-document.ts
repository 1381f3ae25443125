import { z } from 'zod'
import { Note } from '../notes.ts'
import { Moment } from '../scalars.ts'
import { isDefaultName } from '../speaker-display.ts'
import type { SpeakerCorrections } from '../speaker-corrections.ts'
import { TranscriptionResult } from '../transcription.ts'
import { TranslationResult } from '../translation.ts'

/** A line edited by a person, as it is in the transcription, and what the engine wrote. */
export const EditedText = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  written_text: z.string(),
})
export type EditedText = z.infer<typeof EditedText>

/** The origin of a transcript; missing fields are unknown. */
export const TranscriptOrigin = z.object({
  exported_at: Moment.optional(),
  audio: z
    .object({ sha256: z.string(), size: z.int().nonnegative(), duration: z.number(), uploaded_at: Moment })
    .optional(),
  /** `number` of `count` finished transcriptions, oldest first. */
  version: z
    .object({
      transcription_id: z.string(),
      number: z.int().positive(),
      count: z.int().positive(),
      finished_at: Moment.nullable(),
    })
    .optional(),
  edited_lines: z.array(EditedText).optional(),
  /** In order of time. */
  notes: z.array(Note).optional(),
})
export type TranscriptOrigin = z.infer<typeof TranscriptOrigin>

/** A transcript and its translation, if any. `name` is that of the recording, for the header of a text file. */
export interface TranscriptDocument extends TranscriptOrigin {
  name: string | null
  transcription: TranscriptionResult
  translation: TranslationResult | null
  /** Only for the names of speakers; merges and moved lines are already applied to the results. */
  corrections?: SpeakerCorrections
}

/** The content of a transcript's JSON file. */
export const TranscriptExport = z.object({
  name: z.string().nullable(),
  ...TranscriptOrigin.shape,
  /** The name of each speaker as readers see it. */
  speakers: z.array(z.object({ speaker: z.string(), name: z.string() })),
  transcription: TranscriptionResult,
  translation: TranslationResult.nullable(),
})
export type TranscriptExport = z.infer<typeof TranscriptExport>

/** Converts the content of a JSON file to a document, as used for the other formats. */
export function toDocument({ speakers, ...content }: TranscriptExport): TranscriptDocument {
  // Names that the export derived from labels are derived again, in the language of the reader.
  const given = speakers.filter(({ speaker, name }) => !isDefaultName(speaker, name))
  const names = Object.fromEntries(given.map(({ speaker, name }) => [speaker, name]))
  return { ...content, corrections: { names, merged: {}, moved: [] } }
}
