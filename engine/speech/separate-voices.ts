import { z } from 'zod'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { findSpeakers } from '#engine/speakers/find-speakers.ts'
import type { SpeakerTurns } from '#engine/speakers/speaker-turns.ts'

/** The voices found in a channel, as stored in a checkpoint. `key` identifies the channel and the requested number of voices. */
export const SavedSeparation = z.object({
  key: z.string(),
  voices: z.object({
    turns: z.array(z.object({ startMs: z.number(), endMs: z.number(), voice: z.int().nonnegative() })),
    voiceCount: z.int().nonnegative(),
    band: z.enum(['telephone', 'wide']),
  }),
})
export type SavedSeparation = z.infer<typeof SavedSeparation>

/** Stores diarized voices between attempts at one job. */
export interface VoiceCheckpoint {
  load(): Promise<SavedSeparation[]>
  save(voices: SavedSeparation): Promise<void>
}

export interface SeparationOptions {
  /** Number of speakers in a mono recording, if known. If there is only one, there is nothing to separate. */
  speakerCount?: number | undefined
  /** Which of two channels have several voices, left first. None by default: each channel is one speaker. */
  splitVoices?: readonly boolean[]
  voiceCheckpoint?: VoiceCheckpoint
  /** Called with the error of a failed diarization. The transcription continues without speakers. */
  onSeparationFailure?: (error: unknown) => void
}

interface RunOptions {
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

export interface SeparatedVoices {
  /** The voices of each channel; null if separation was not requested, there is no speech or the separation failed. */
  voices: (SpeakerTurns | null)[]
  warnings: TranscriptionWarning[]
}

/**
 * Diarizes a mono recording, or those channels for which splitting was requested. `spans` is the speech of each channel. On failure the
 * transcript only loses its speakers, which a warning reports. Rejects only if cancelled.
 */
export async function separateVoices(
  decoded: DecodedAudio,
  spans: readonly SpeechSpan[][],
  options: SeparationOptions & RunOptions,
): Promise<SeparatedVoices> {
  const isRequested = spans.map((own, channel) => own.length > 0 && shouldSeparate(channel, spans.length, options))
  const total = isRequested.filter(Boolean).length
  if (total === 0) return { voices: spans.map(() => null), warnings: [] }
  const saved = (await options.voiceCheckpoint?.load()) ?? []
  const voices: (SpeakerTurns | null)[] = []
  let hasFailed = false
  for (const [channel, own] of spans.entries()) {
    const done = isRequested.slice(0, channel).filter(Boolean).length
    const onProgress = (share: number) => options.onProgress?.((done + share) / total)
    const voiceCount = spans.length === 1 ? options.speakerCount : undefined
    const key = `voices:${channel}:${voiceCount ?? 'any'}`
    const find = () => findSpeakers(decoded, channel, own, { voiceCount, signal: options.signal, onProgress })
    const found = isRequested[channel]
      ? (saved.find((entry) => entry.key === key)?.voices ?? (await attempt(find, options)))
      : null
    if (found) await options.voiceCheckpoint?.save({ key, voices: found })
    hasFailed ||= found === null && isRequested[channel] === true
    voices.push(found)
  }
  return { voices, warnings: hasFailed ? [failureWarning(spans.length)] : [] }
}

/** Returns null and reports the error for any failure except an abort. */
async function attempt(
  find: () => Promise<SpeakerTurns>,
  { signal, onSeparationFailure }: SeparationOptions & RunOptions,
): Promise<SpeakerTurns | null> {
  try {
    return await find()
  } catch (error) {
    if (signal?.aborted) throw error
    onSeparationFailure?.(error)
    return null
  }
}

function shouldSeparate(
  channel: number,
  channelCount: number,
  { speakerCount, splitVoices }: SeparationOptions,
): boolean {
  return channelCount === 1 ? speakerCount !== 1 : splitVoices?.[channel] === true
}

function failureWarning(channelCount: number): TranscriptionWarning {
  const consequence = channelCount === 1 ? 'the transcript has no speakers' : 'each channel was taken for one speaker'
  return { code: 'speakers_not_separated', message: `The voices could not be told apart, so ${consequence}.` }
}
