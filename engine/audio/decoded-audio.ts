import type { TranscriptionWarning } from '#contract/transcription.ts'

/** Every recording is brought to this rate: what Whisper listens to. */
export const sampleRate = 16_000
/** Statistics are kept for frames of this length. */
export const frameMs = 20
export const frameSamples = (sampleRate * frameMs) / 1000

/** A recording as 16 kHz samples on disk and its statistics in memory (0.8 MB an hour of stereo). */
export interface DecodedAudio {
  /** Interleaved signed 16-bit little-endian samples. */
  pcmPath: string
  sampleRate: typeof sampleRate
  channelCount: 1 | 2
  durationMs: number
  /** RMS of each 20 ms frame, 0 to 1, one array a channel, with what lies below the voice (direct current, hum) damped. */
  frames: Float32Array[]
  /** Largest absolute sample of each 20 ms frame, 0 to 1, one array a channel. */
  peaks: Float32Array[]
  /** Pearson correlation of the two channels over the whole recording; null for mono or where a channel is silent. */
  correlation: number | null
  /** One voice saved as stereo: both channels carry the same sound at the same level. Transcribe channel 0 only. */
  isDualMono: boolean
  /** What a reader of the transcript should know, such as a damaged part of the file. */
  warnings: TranscriptionWarning[]
}
