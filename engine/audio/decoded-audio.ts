import type { TranscriptionWarning } from '#contract/transcription.ts'

/** In Hz. Every recording is resampled to this rate, which Whisper works at. */
export const sampleRate = 16_000
/** Length of the frames that statistics are computed for. */
export const frameMs = 20
export const frameSamples = (sampleRate * frameMs) / 1000

/** A recording as 16 kHz samples on disk and its statistics in memory (0.8 MB an hour of stereo). */
export interface DecodedAudio {
  /** Interleaved signed 16-bit little-endian samples. */
  pcmPath: string
  sampleRate: typeof sampleRate
  channelCount: 1 | 2
  /** Channels of the file. More than two are mixed into one. */
  sourceChannelCount: number
  durationMs: number
  /** RMS of each 20 ms frame, 0 to 1, one array per channel, with what lies below the voice (DC offset, hum) attenuated. */
  frames: Float32Array[]
  /** Largest absolute sample of each 20 ms frame, 0 to 1, one array per channel. */
  peaks: Float32Array[]
  /** Pearson correlation of the two channels over the whole recording; null for mono and where a channel is silent. */
  correlation: number | null
  /** Mono saved as stereo: both channels carry the same sound at the same level. Transcribe channel 0 only. */
  isDualMono: boolean
  /** Warnings for the reader of the transcript, such as a damaged part of the file. */
  warnings: TranscriptionWarning[]
}
