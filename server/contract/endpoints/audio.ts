import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DiarizationResult, JobAccepted } from '../entities/job.ts'
import { UploadResult } from '../entities/recording.ts'
import {
  defaultTargetLanguage,
  defaultTranscriptionLanguage,
  isTranslationLanguage,
  TranscriptionLanguageChoice,
} from '../languages.ts'
import { LikelyNames } from '../likely-names.ts'
import { Id, IdParams, requiredId } from '../scalars.ts'
import { SpeakerCount, SpeechModelId, SplitVoices } from '../transcription-choices.ts'
import { TranscriptionResult } from '../transcription.ts'
import { TranslationResult } from '../translation.ts'

/** `force` starts over where a repeated request would otherwise join the running job or return the finished result. */
const Force = z.boolean().default(false)
const LanguageCode = z.string().regex(/^[a-z]{2}$/, 'Not a language code')

/** More than eleven days, which is longer than any recording. */
const maxSeconds = 1_000_000
const Seconds = z
  .number()
  .min(0, 'The times of segments are seconds from the start and never negative')
  .max(maxSeconds, `The times of segments are at most ${maxSeconds} seconds`)

/** The language a text is in, as GET /api/languages names it. */
const KnownLanguage = z.string().refine(isTranslationLanguage, 'Not a known language code')

/** A segment to translate; `language` is set when it differs from the speaker's. */
const SourceSegment = z
  .object({ start: Seconds, end: Seconds, text: z.string(), language: KnownLanguage.optional() })
  .refine(({ start, end }) => end >= start, 'A segment must not end before it begins')

/** The parts of the transcription to translate that the server reads; a stored one named by `transcription_id` takes precedence. */
const TranscriptionData = z.object({
  transcription_id: Id.nullish(),
  transcription: z.string().optional(),
  detected_language: KnownLanguage.nullish(),
  segments: z.array(SourceSegment.safeExtend({ speaker: z.string().max(200).optional() })).optional(),
  speaker_transcriptions: z
    .array(
      z.object({
        speaker: z.string().max(200),
        transcription: z.string(),
        detected_language: KnownLanguage.nullish(),
        segments: z.array(SourceSegment).optional(),
      }),
    )
    .max(16)
    .optional(),
})

/** A language for each channel, left first; takes precedence over `language`. */
const ChannelLanguages = z.array(TranscriptionLanguageChoice).min(1).max(2)

/** The recording to work on; without one, the sentence of the audio-workflow specification, section 8. */
const FileId = requiredId('Please upload an audio file first')

const noTranscript = 'Please transcribe audio first'

/** Errors of translating both texts and transcriptions. */
const translationErrors = [
  'not_found',
  'unsupported_pair',
  'model_unavailable',
  'job_failed',
  'job_cancelled',
  'too_many_jobs',
  'queue_full',
  'disk_full',
] as const

export const audio = {
  upload: endpoint({
    method: 'POST',
    path: '/api/upload',
    access: 'user',
    summary: 'Upload one recording, multipart field `audio`, at most 104857600 bytes',
    response: UploadResult,
    status: 201,
    transport: 'multipart',
    errors: ['upload_too_large', 'unsupported_audio', 'unreadable_audio', 'no_audio', 'disk_full'],
  }),
  play: endpoint({
    method: 'GET',
    path: '/api/audio/:id',
    access: 'user',
    summary: 'The uploaded file, with range requests; accepts the bearer token or the audio cookie',
    params: IdParams,
    response: z.unknown(),
    transport: 'audio',
    errors: ['not_found'],
  }),
  transcribe: endpoint({
    method: 'POST',
    path: '/api/transcribe',
    access: 'user',
    summary: 'Transcribe a recording',
    body: z.object({
      file_id: FileId,
      language: TranscriptionLanguageChoice.default(defaultTranscriptionLanguage),
      channel_languages: ChannelLanguages.optional(),
      names: LikelyNames.default([]),
      speaker_count: SpeakerCount.optional(),
      split_voices: SplitVoices.default([]),
      model: SpeechModelId.nullish(),
      force: Force,
    }),
    response: z.union([TranscriptionResult, JobAccepted]),
    isLongWork: true,
    heavy: 'parts',
    errors: [
      'not_found',
      'unsupported_language',
      'model_unavailable',
      'job_failed',
      'job_cancelled',
      'too_many_jobs',
      'queue_full',
    ],
  }),
  translate: endpoint({
    method: 'POST',
    path: '/api/translate',
    access: 'user',
    summary: 'Translate a text',
    body: z
      .object({
        text: z.string().min(1, noTranscript).max(1_000_000).optional(),
        /** The stored transcription whose text is translated, instead of `text`. */
        transcription_id: Id.nullish(),
        target_language: LanguageCode.default(defaultTargetLanguage),
        source_language: z.union([z.literal('auto'), LanguageCode]).default('auto'),
        /** The recording that the text belongs to; the result is stored with it. */
        recording_id: Id.nullish(),
        force: Force,
      })
      .refine(({ text, transcription_id }) => text !== undefined || transcription_id, {
        path: ['text'],
        message: noTranscript,
      }),
    response: z.union([TranslationResult, JobAccepted]),
    isLongWork: true,
    heavy: 'parts',
    errors: translationErrors,
  }),
  translateSpeakers: endpoint({
    method: 'POST',
    path: '/api/translate-speakers',
    access: 'user',
    summary: 'Translate a transcription segment by segment and speaker by speaker',
    body: z.object({
      transcription_data: TranscriptionData,
      target_language: LanguageCode.default(defaultTargetLanguage),
      context: z.string().max(10_000).nullish(),
      force: Force,
      /**
       * Translates again only what failed in the last translation, or only this one line, and keeps everything else. When unset, and
       * without `force`, the lines edited since the last translation are translated.
       */
      retry: z.union([z.literal('failed'), z.object({ start: Seconds, end: Seconds })]).optional(),
    }),
    response: z.union([TranslationResult, JobAccepted]),
    isLongWork: true,
    heavy: 'parts',
    errors: translationErrors,
  }),
  diarize: endpoint({
    method: 'POST',
    path: '/api/speaker-diarization',
    access: 'user',
    summary: 'Who said what when, by the two channels of a stereo recording or by the voices of a channel',
    body: z.object({
      file_id: FileId,
      with_transcription: z.boolean().default(true),
      /** When this and `channel_languages` are unset, the languages and words of the current transcription are used. */
      language: TranscriptionLanguageChoice.optional(),
      channel_languages: ChannelLanguages.optional(),
      /** When this and `split_voices` are unset, the settings of the current transcription are used. */
      speaker_count: SpeakerCount.optional(),
      split_voices: SplitVoices.optional(),
      force: Force,
    }),
    response: z.union([DiarizationResult, JobAccepted]),
    isLongWork: true,
    heavy: 'parts',
    errors: [
      'not_found',
      'unsupported_language',
      'model_unavailable',
      'job_failed',
      'job_cancelled',
      'too_many_jobs',
      'queue_full',
    ],
  }),
}
