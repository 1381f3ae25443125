import { z } from 'zod'
import { isTranslationLanguage, TranscriptionLanguageChoice } from './languages.ts'
import { LibrarySelection } from './library.ts'
import { LikelyNames } from './likely-names.ts'
import { Id, Moment } from './scalars.ts'
import { SpeakerCount, SpeechModelId, SplitVoices } from './transcription-choices.ts'

/** Maximum number of languages that a batch translates into or an export contains. */
export const maxTargetLanguages = 10

/** Maximum number of unfinished batches per user. */
export const maxOpenBatches = 10

/** Languages to translate into, as ISO 639-1 codes. */
export const TargetLanguages = z
  .array(z.string().refine(isTranslationLanguage, 'Not a known language code'))
  .max(maxTargetLanguages)
  .default([])
  .transform((languages) => [...new Set(languages)])

/** The spoken languages. For stereo recordings, `channel_languages`, left first, takes precedence over `language`. */
export const BatchLanguages = z.object({
  language: TranscriptionLanguageChoice,
  channel_languages: z.tuple([TranscriptionLanguageChoice, TranscriptionLanguageChoice]).nullable().default(null),
})
export type BatchLanguages = z.infer<typeof BatchLanguages>

/** How a batch transcribes: `speaker_count` applies to mono recordings, `split_voices` to stereo recordings. */
export const BatchTranscription = BatchLanguages.extend({
  model: SpeechModelId.optional(),
  names: LikelyNames.optional(),
  speaker_count: SpeakerCount.optional(),
  split_voices: SplitVoices.optional(),
})
export type BatchTranscription = z.infer<typeof BatchTranscription>

const nothingToDo = 'Choose transcription, a language to translate into, or both'

/** What is done with each recording of a batch: it is transcribed, then its current transcription is translated. */
export const BatchRequest = z
  .object({
    selection: LibrarySelection,
    transcribe: BatchTranscription.nullable().default(null),
    target_languages: TargetLanguages,
    /** Repeats work that has already been done with the same options. */
    redo: z.boolean().default(false),
  })
  .refine(({ transcribe, target_languages: targets }) => transcribe !== null || targets.length > 0, {
    path: ['transcribe'],
    message: nothingToDo,
  })
export type BatchRequest = z.infer<typeof BatchRequest>

/** The outcome of one recording of a batch. `skipped`: there was nothing to do, or the recording was deleted. */
export const batchItemStates = ['waiting', 'running', 'done', 'failed', 'skipped', 'cancelled'] as const
export const BatchItemState = z.enum(batchItemStates)
export type BatchItemState = z.infer<typeof BatchItemState>

const Count = z.int().nonnegative()

/** What a batch would do. Of a long selection of `total` recordings, only the first `checked` were examined. */
export const BatchPreview = z.object({
  total: Count,
  checked: Count,
  /** Transcriptions and translations to be made. */
  transcriptions: Count,
  translations: Count,
  /** Recordings that need no work, by reason. */
  skipped: z.array(z.object({ reason: z.string(), count: z.int().positive() })),
})
export type BatchPreview = z.infer<typeof BatchPreview>

/** How many recordings are in each state. */
export const BatchCounts = z.object({
  waiting: Count,
  running: Count,
  done: Count,
  failed: Count,
  skipped: Count,
  cancelled: Count,
})
export type BatchCounts = z.infer<typeof BatchCounts>

/** Work requested for many recordings at once. */
export const Batch = z.object({
  id: Id,
  state: z.enum(['running', 'done', 'cancelled']),
  transcribe: BatchTranscription.nullable(),
  target_languages: z.array(z.string()),
  redo: z.boolean(),
  /** How many recordings it has. */
  total: Count,
  counts: BatchCounts,
  created_at: Moment,
  finished_at: Moment.nullable(),
})
export type Batch = z.infer<typeof Batch>

/** One recording of a batch. `name` is null once it is deleted; `reason` says why it failed or was skipped. */
export const BatchItem = z.object({
  recording_id: Id,
  name: z.string().nullable(),
  state: BatchItemState,
  reason: z.string().nullable(),
})
export type BatchItem = z.infer<typeof BatchItem>
