import { z } from 'zod'
import { Provenance } from './provenance.ts'

/** What a word list changed: `written`, as listed, which may be several words, in place of what the speech engine heard. */
export const WordCorrection = z.object({ heard: z.string(), written: z.string() })
export type WordCorrection = z.infer<typeof WordCorrection>

/**
 * A word of a segment as written in the text, its times in seconds, and the confidence of the model, 0 to 1: missing where the
 * speech engine reports none.
 */
export const Word = z.object({
  text: z.string(),
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  confidence: z.number().min(0).max(1).optional(),
  /** Set on the first word of what was written as in a word list, and valid while the text reads so from there. */
  correction: WordCorrection.optional(),
})
export type Word = z.infer<typeof Word>

/**
 * A stretch of speech with its words. Times are seconds from the start of the recording.
 * Source: audio-workflow specification, section 3; the optional fields are ours.
 */
export const Segment = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  /** Missing where the recording has one voice. */
  speaker: z.string().optional(),
  /** Present for two channels with different sound. */
  channel: z.int().min(0).max(1).optional(),
  /** Another voice of the same channel overlaps much of it: text and speaker may be mixed. */
  overlap: z.boolean().optional(),
  /** Mean confidence of its words, 0 to 1. Missing where a word has none. */
  confidence: z.number().min(0).max(1).optional(),
  /** In order, and together the text but for the blanks between them. Left out of progress. */
  words: z.array(Word).optional(),
  /** The language of this segment where it is not that of its channel. */
  language: z.string().optional(),
})
export type Segment = z.infer<typeof Segment>

/**
 * What one speaker said, in order: the voice of a channel, or one of several voices of a channel. `speaker` is unique in a transcription.
 * `language_probability` is 0 to 1, null where the engine cannot detect it.
 */
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

/**
 * Something a reader of the transcript should know: `code` for programs, `message` a sentence for people. A warning about a passage
 * has its times in seconds and, for stereo recordings, its channel; where the passage has no text, a reader marks it there.
 */
export const TranscriptionWarning = z.object({
  code: z.string(),
  message: z.string(),
  start: z.number().nonnegative().optional(),
  end: z.number().nonnegative().optional(),
  channel: z.int().min(0).max(1).optional(),
})
export type TranscriptionWarning = z.infer<typeof TranscriptionWarning>

/**
 * How speakers were separated: each channel is one, or, in a mono recording and where a channel was to be split, each voice is one.
 * `band` is that of the sound, measured when voices were separated.
 */
export const SpeakerSeparation = z.object({
  by: z.enum(['channels', 'voices']),
  band: z.enum(['telephone', 'wide']).optional(),
})
export type SpeakerSeparation = z.infer<typeof SpeakerSeparation>

/** The finished transcription (audio-workflow specification, section 3). `transcription_id` is null on the command line. */
export const TranscriptionResult = z.object({
  transcription_id: z.string().nullable(),
  transcription: z.string(),
  detected_language: z.string().nullable(),
  language_probability: z.number().min(0).max(1).nullable(),
  num_speakers: z.int().nonnegative(),
  segments: z.array(Segment),
  speaker_transcriptions: z.array(SpeakerTranscription),
  /** Missing where the recording has one voice, and in transcripts of older versions. */
  speaker_separation: SpeakerSeparation.optional(),
  duration: z.number().nonnegative(),
  model: z.string(),
  provenance: Provenance.optional(),
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
  /** All lines so far, in order of time, without words. */
  partial_segments: z.array(Segment).default([]),
  /** Estimate for the windows that are left, when this was reported; missing before the first window is done. */
  seconds_left: z.number().nonnegative().optional(),
  /** Set before the first window: `current_segment` of `total_segments` are then percent of the diarization. */
  stage: z.literal('speakers').optional(),
})
export type TranscriptionProgress = z.infer<typeof TranscriptionProgress>
