import { z } from 'zod'
import { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { Id } from '#contract/scalars.ts'

/**
 * What a job is to do: ids and choices, no content but the short hints a caller gives the models. The engine parses it again when it
 * takes the job, so that a job written by an older version fails with a sentence instead of half-working.
 */
export const JobParams = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('transcribe'),
    language: TranscriptionLanguageChoice,
    /** A language for each channel, left first; null: `language` for all. */
    channelLanguages: z.array(TranscriptionLanguageChoice).nullable(),
    /** Names that are likely to be heard. */
    names: z.array(z.string()).default([]),
  }),
  z.object({
    kind: z.literal('translate'),
    /** The stored text or transcription (see source-model.ts); null where `transcriptionId` names a finished job. */
    sourceId: Id.nullable(),
    transcriptionId: Id.nullable(),
    sourceLanguage: z.string(),
    targetLanguage: z.string(),
    /** What the caller says the talk is about; null for nothing. */
    context: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('diarize'),
    hasText: z.boolean(),
    language: TranscriptionLanguageChoice,
    channelLanguages: z.array(TranscriptionLanguageChoice).nullable().default(null),
  }),
])
export type JobParams = z.infer<typeof JobParams>
