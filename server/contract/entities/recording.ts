import { z } from 'zod'
import { maxChannels } from '../audio-channels.ts'
import { LineEdits } from '../line-edits.ts'
import { Id, Moment } from '../scalars.ts'
import { SpeakerCorrections } from '../speaker-corrections.ts'
import { TranscriptionResult } from '../transcription.ts'
import { TranslationResult } from '../translation.ts'
import { TranscriptionRequest } from '../versions.ts'
import { DiarizationResult, Job } from './job.ts'

/** Accepted file endings, first those of audio, then of video (audio-workflow specification, section 5). */
export const audioExtensions = ['mp3', 'wav', 'm4a', 'flac', 'ogg', 'mp4', 'webm'] as const

/** The maximum size of an upload in bytes unless MAX_UPLOAD_MB sets another: 100 MiB (audio-workflow specification, section 9). */
export const defaultMaxUploadBytes = 104_857_600

/** The web app uploads larger files in parts, so that they resume: 32 MiB. Smaller ones can simply be sent again just as quickly. */
export const resumableAboveBytes = 32 * 1024 * 1024

/** A recording in a list. `duration` is seconds, `size` bytes; `peaks` has one list of 0 to 1 per channel. */
export const Recording = z.object({
  id: Id,
  name: z.string(),
  size: z.int().nonnegative(),
  duration: z.number().nonnegative(),
  channels: z.int().min(1).max(maxChannels),
  is_stereo: z.boolean(),
  peaks: z.array(z.array(z.number().min(0).max(1))),
  /** The main language of the current version; null without one. */
  language: z.string().nullable(),
  /** All languages spoken in the current version, the main one first. */
  languages: z.array(z.string()),
  transcription_id: Id.nullable(),
  target_languages: z.array(z.string()),
  job: Job.nullable(),
  created_at: Moment,
  /** On legal hold: no part of it can be deleted. Missing for any other. */
  is_held: z.literal(true).optional(),
})
export type Recording = z.infer<typeof Recording>

/** What a user may do with a recording: everything, correct it, or read it. The last two come with the cases that it belongs to. */
export const RecordingAccess = z.enum(['owner', 'edit', 'view'])
export type RecordingAccess = z.infer<typeof RecordingAccess>

/** A translation with the transcription that it was made from; null for one of a plain text. */
export const StoredTranslation = TranslationResult.extend({ transcription_id: Id.nullable() })
export type StoredTranslation = z.infer<typeof StoredTranslation>

/**
 * A recording with all of its results. `transcription` is the current version as the engine wrote it: `applyLineEdits`, then
 * `applySpeakerCorrections` return the one to show. Translations and diarization have the corrected speakers.
 */
export const RecordingDetails = Recording.extend({
  /** What the caller may do with it. */
  access: RecordingAccess,
  transcription: TranscriptionResult.nullable(),
  translations: z.array(StoredTranslation),
  diarization: DiarizationResult.nullable(),
  /** What people edited in the lines of `transcription`. */
  line_edits: LineEdits,
  /** What was asked for when `transcription` was started; null without one. */
  transcription_request: TranscriptionRequest.nullable(),
  /** How many transcriptions can be chosen from. */
  version_count: z.int().nonnegative(),
  speaker_corrections: SpeakerCorrections,
  /** Changes with every correction and with every new transcription. */
  speaker_corrections_version: z.int().nonnegative(),
})
export type RecordingDetails = z.infer<typeof RecordingDetails>

/** The response of an upload (audio-workflow specification, section 3; is_stereo, channels, peaks, name and size are ours). */
export const UploadResult = z.object({
  file_id: Id,
  name: z.string(),
  size: z.int().nonnegative(),
  duration: z.number().nonnegative(),
  is_stereo: z.boolean(),
  channels: z.int().min(1).max(maxChannels),
  peaks: z.array(z.array(z.number().min(0).max(1))),
  /** The earliest recording of the same owner whose file has the same bytes. */
  duplicate_of: z.object({ id: Id, name: z.string() }).nullable().default(null),
})
export type UploadResult = z.infer<typeof UploadResult>
