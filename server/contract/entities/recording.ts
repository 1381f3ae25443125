import { z } from 'zod'
import { maxChannels } from '../audio-channels.ts'
import { LineEdits } from '../line-edits.ts'
import { Id, Moment } from '../scalars.ts'
import { SpeakerCorrections } from '../speaker-corrections.ts'
import { TranscriptionResult } from '../transcription.ts'
import { TranslationResult } from '../translation.ts'
import { TranscriptionRequest } from '../versions.ts'
import { DiarizationResult, Job } from './job.ts'

/** Accepted file extensions, audio first, then video (audio-workflow specification, section 5). */
export const audioExtensions = ['mp3', 'wav', 'm4a', 'flac', 'ogg', 'mp4', 'webm'] as const

/** The maximum size of an upload in bytes, unless MAX_UPLOAD_MB overrides it: 100 MiB (audio-workflow specification, section 9). */
export const defaultMaxUploadBytes = 104_857_600

/** The web app uploads files larger than 32 MiB in parts, so that uploads can resume. Smaller files can be resent just as quickly. */
export const resumableAboveBytes = 32 * 1024 * 1024

/** A recording in a list. `duration` is in seconds, `size` in bytes; `peaks` has one list of values from 0 to 1 per channel. */
export const Recording = z.object({
  id: Id,
  name: z.string(),
  size: z.int().nonnegative(),
  duration: z.number().nonnegative(),
  channels: z.int().min(1).max(maxChannels),
  is_stereo: z.boolean(),
  peaks: z.array(z.array(z.number().min(0).max(1))),
  /** The main language of the current version; null when there is no version. */
  language: z.string().nullable(),
  /** All languages spoken in the current version, the main one first. */
  languages: z.array(z.string()),
  transcription_id: Id.nullable(),
  target_languages: z.array(z.string()),
  job: Job.nullable(),
  created_at: Moment,
  /** Present on legal hold: no part of the recording can be deleted. */
  is_held: z.literal(true).optional(),
})
export type Recording = z.infer<typeof Recording>

/** What a user may do with a recording: everything, correct it, or read it. The last two are granted by the cases that contain it. */
export const RecordingAccess = z.enum(['owner', 'edit', 'view'])
export type RecordingAccess = z.infer<typeof RecordingAccess>

/** A translation with the transcription from which it was made; null when made from plain text. */
export const StoredTranslation = TranslationResult.extend({ transcription_id: Id.nullable() })
export type StoredTranslation = z.infer<typeof StoredTranslation>

/**
 * A recording with all its results. `transcription` is the current version as the engine wrote it; apply `applyLineEdits`, then
 * `applySpeakerCorrections` to get the version to show. Translations and diarization already have the corrected speakers.
 */
export const RecordingDetails = Recording.extend({
  /** What the caller may do with it. */
  access: RecordingAccess,
  transcription: TranscriptionResult.nullable(),
  translations: z.array(StoredTranslation),
  diarization: DiarizationResult.nullable(),
  /** People's edits to the lines of `transcription`. */
  line_edits: LineEdits,
  /** The request that started `transcription`; null when there is none. */
  transcription_request: TranscriptionRequest.nullable(),
  /** The number of transcriptions to choose from. */
  version_count: z.int().nonnegative(),
  speaker_corrections: SpeakerCorrections,
  /** Changes with every correction and with every new transcription. */
  speaker_corrections_version: z.int().nonnegative(),
})
export type RecordingDetails = z.infer<typeof RecordingDetails>

/** The response to an upload (audio-workflow specification, section 3; is_stereo, channels, peaks, name and size are our additions). */
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
