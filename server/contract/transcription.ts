import { z } from 'zod'
import { Provenance } from './provenance.ts'

/** A change made by a word list: `written`, as listed (possibly several words), in place of what the speech engine heard. */
export const WordCorrection = z.object({ heard: z.string(), written: z.string() })
export type WordCorrection = z.infer<typeof WordCorrection>

/**
 * A word of a segment as written in the text, its times in seconds, and the confidence of the model from 0 to 1, which is missing
 * if the speech engine reports none.
 */
export const Word = z.object({
  text: z.string(),
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  confidence: z.number().min(0).max(1).optional(),
  /** Set on the first word of a correction by a word list, and valid as long as the text from there on is unchanged. */
  correction: WordCorrection.optional(),
})
export type Word = z.infer<typeof Word>

/**
 * A stretch of speech with its words. Times are in seconds from the start of the recording.
 * Source: audio-workflow specification, section 3; the optional fields are our additions.
 */
export const Segment = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string(),
  /** Missing if the recording has one voice. */
  speaker: z.string().optional(),
  /** Present for two channels with different audio. */
  channel: z.int().min(0).max(1).optional(),
  /** Whether another voice in the same channel overlaps much of it, so that text and speaker may be mixed up. */
  overlap: z.boolean().optional(),
  /** Mean confidence of its words, 0 to 1. Missing if a word has none. */
  confidence: z.number().min(0).max(1).optional(),
  /** The words in order; joined, they are the text except for the spaces between them. Left out of progress updates. */
  words: z.array(Word).optional(),
  /** The language of this segment, if it differs from that of its channel. */
  language: z.string().optional(),
})
export type Segment = z.infer<typeof Segment>

/**
 * What one speaker said, in order: the voice of a channel, or one of several voices in a channel. `speaker` is unique in a transcription.
 * `language_probability` is 0 to 1, or null if the engine cannot detect it.
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
 * Something a reader of the transcript should know: `code` is for programs, `message` a sentence for people. A warning about a passage
 * has its times in seconds and, for stereo recordings, its channel; if the passage has no text, user interfaces mark it there.
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
 * How speakers were separated: each channel is a speaker, or, in a mono recording or when a channel was to be split, each voice is one.
 * `band` is the frequency band of the audio, measured when voices were separated.
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
  /** Missing if the recording has one voice, and in transcripts from older versions. */
  speaker_separation: SpeakerSeparation.optional(),
  duration: z.number().nonnegative(),
  model: z.string(),
  provenance: Provenance.optional(),
  warnings: z.array(TranscriptionWarning),
})
export type TranscriptionResult = z.infer<typeof TranscriptionResult>

/**
 * A partial update, sent after each window (audio-workflow specification, section 3).
 * `current_segment` of `total_segments` windows are done; `partial_text` is the text so far in order of time.
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
  /** Estimated time for the remaining windows as of this report; missing until the first window is done. */
  seconds_left: z.number().nonnegative().optional(),
  /** Set before the first window; `current_segment` of `total_segments` is then the percentage of the diarization. */
  stage: z.literal('speakers').optional(),
})
export type TranscriptionProgress = z.infer<typeof TranscriptionProgress>
