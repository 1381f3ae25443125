import { z } from 'zod'

/**
 * A stretch of speech with its words. Times are seconds from the start of the recording.
 * Source: audio-workflow specification, section 3; `speaker` and `channel` are ours and present for stereo recordings.
 */
export const Segment = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  speaker: z.string().optional(),
  channel: z.int().min(0).max(1).optional(),
})
export type Segment = z.infer<typeof Segment>

/** What one channel said, in its own order. `language_probability` is 0 to 1, null where the engine cannot tell. */
export const SpeakerTranscription = z.object({
  speaker: z.string(),
  channel: z.int().min(0).max(1),
  transcription: z.string(),
  segment_count: z.int().nonnegative(),
  detected_language: z.string().nullable(),
  language_probability: z.number().min(0).max(1).nullable(),
  segments: z.array(Segment),
})
export type SpeakerTranscription = z.infer<typeof SpeakerTranscription>

/** Something a reader of the transcript should know: `code` for programs, `message` a sentence for people. */
export const TranscriptionWarning = z.object({ code: z.string(), message: z.string() })
export type TranscriptionWarning = z.infer<typeof TranscriptionWarning>

/** The finished transcription (audio-workflow specification, section 3). `transcription_id` is null on the command line. */
export const TranscriptionResult = z.object({
  transcription_id: z.string().nullable(),
  transcription: z.string(),
  detected_language: z.string().nullable(),
  language_probability: z.number().min(0).max(1).nullable(),
  num_speakers: z.int().nonnegative(),
  segments: z.array(Segment),
  speaker_transcriptions: z.array(SpeakerTranscription),
  duration: z.number().nonnegative(),
  model: z.string(),
  warnings: z.array(TranscriptionWarning),
})
export type TranscriptionResult = z.infer<typeof TranscriptionResult>

/**
 * A partial update, sent after each window (audio-workflow specification, section 3).
 * `current_segment` of `total_segments` counts windows done; `partial_text` is the text so far in order of time.
 */
export const TranscriptionProgress = z.object({
  current_segment: z.int().nonnegative(),
  total_segments: z.int().nonnegative(),
  detected_language: z.string().nullable(),
  language_probability: z.number().min(0).max(1).nullable(),
  latest_segment: Segment.nullable(),
  partial_text: z.string(),
})
export type TranscriptionProgress = z.infer<typeof TranscriptionProgress>
