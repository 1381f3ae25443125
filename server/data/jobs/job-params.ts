import { z } from 'zod'
import { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { Id } from '#contract/scalars.ts'
import { maxSpeakerCount } from '#contract/speaker-corrections.ts'

/** Id of the chosen speech model; null for the model configured for each language. */
const SpeechModelChoice = { model: z.string().nullable().default(null) }

/** How the speakers of a recording are separated. */
const SeparationChoice = {
  /** Number of speakers in a mono recording; null to count the voices. */
  speakerCount: z.int().min(1).max(maxSpeakerCount).nullable().default(null),
  /** Which of two channels hold several voices, left first. */
  splitVoices: z.array(z.boolean()).default([]),
}

/** Which parts of `jobId`, an earlier translation of the same transcription, are retranslated; everything else stays. */
const TranslationRetry = z.object({
  jobId: Id,
  /** The times of lines to retranslate in any case. */
  lines: z.array(z.object({ start: z.number(), end: z.number() })),
  /** Whether lines that could not be translated are retried. */
  includesFailed: z.boolean(),
  /** Whether lines edited since are translated. */
  includesChanged: z.boolean(),
  /** Revision of the transcription's edits at the time of the request. */
  revision: z.int().nonnegative(),
})
export type TranslationRetry = z.infer<typeof TranslationRetry>

/**
 * What a job must do: ids and choices, no content except the caller's short hints for the models. The engine parses it again when it
 * takes the job, so that a job written by an older version fails with a message instead of half-working.
 */
export const JobParams = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('transcribe'),
    language: TranscriptionLanguageChoice,
    /** A language for each channel, left first; null to use `language` for all. */
    channelLanguages: z.array(TranscriptionLanguageChoice).nullable(),
    /** Names likely to occur, as hints for the model. */
    names: z.array(z.string()).default([]),
    ...SeparationChoice,
    ...SpeechModelChoice,
  }),
  z.object({
    kind: z.literal('translate'),
    /** The stored text or transcription (see source-model.ts); null where `transcriptionId` names a finished job. */
    sourceId: Id.nullable(),
    transcriptionId: Id.nullable(),
    sourceLanguage: z.string(),
    targetLanguage: z.string(),
    /** The topic of the talk as given by the caller, or null. */
    context: z.string().nullable(),
    /** Which parts of an earlier translation are retranslated; null to translate everything. */
    retry: TranslationRetry.nullable().default(null),
  }),
  z.object({
    kind: z.literal('diarize'),
    hasText: z.boolean(),
    language: TranscriptionLanguageChoice,
    channelLanguages: z.array(TranscriptionLanguageChoice).nullable().default(null),
    /** The finished transcription whose words are used; null for any in these languages with these speakers, else a new one. */
    transcriptionId: Id.nullable().default(null),
    ...SeparationChoice,
    ...SpeechModelChoice,
  }),
])
export type JobParams = z.infer<typeof JobParams>

/** Omitted choices get their defaults. */
export type NewJobParams = z.input<typeof JobParams>
