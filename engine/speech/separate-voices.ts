import { z } from 'zod'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { findSpeakers } from '#engine/speakers/find-speakers.ts'
import type { SpeakerTurns } from '#engine/speakers/speaker-turns.ts'

/** The voices found in a channel, as a checkpoint keeps them. `key` holds the channel and what was asked for. */
export const SavedSeparation = z.object({
  key: z.string(),
  voices: z.object({
    turns: z.array(z.object({ startMs: z.number(), endMs: z.number(), voice: z.int().nonnegative() })),
    voiceCount: z.int().nonnegative(),
    band: z.enum(['telephone', 'wide']),
  }),
})
export type SavedSeparation = z.infer<typeof SavedSeparation>

/** Where voices that were found are kept between attempts at one job. */
export interface VoiceCheckpoint {
  load(): Promise<SavedSeparation[]>
  save(voices: SavedSeparation): Promise<void>
}

export interface SeparationOptions {
  /** How many people speak in a mono recording, where that is known. With one there is nothing to separate. */
  speakerCount?: number | undefined
  /** Which channels of two hold several voices, left first. None by default: each channel is one speaker. */
  splitVoices?: readonly boolean[]
  voiceCheckpoint?: VoiceCheckpoint
  /** Told what made the separation fail. The transcription goes on without speakers. */
  onSeparationFailure?: (error: unknown) => void
}

interface Run {
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

export interface SeparatedVoices {
  /** One for each channel: its voices, or null where it was not to be separated, has no speech or could not be separated. */
  voices: (SpeakerTurns | null)[]
  warnings: TranscriptionWarning[]
}

/**
 * Tells the voices of a mono recording apart, and those of channels that were asked to be split. `spans` is the speech of each channel.
 * What goes wrong costs the speakers and no more: a warning says so. Rejects only when cancelled.
 */
export async function separateVoices(
  decoded: DecodedAudio,
  spans: readonly SpeechSpan[][],
  options: SeparationOptions & Run,
): Promise<SeparatedVoices> {
  const isWanted = spans.map((own, channel) => own.length > 0 && isToSeparate(channel, spans.length, options))
  const total = isWanted.filter(Boolean).length
  if (total === 0) return { voices: spans.map(() => null), warnings: [] }
  const saved = (await options.voiceCheckpoint?.load()) ?? []
  const voices: (SpeakerTurns | null)[] = []
  let hasFailed = false
  for (const [channel, own] of spans.entries()) {
    const done = isWanted.slice(0, channel).filter(Boolean).length
    const onProgress = (share: number) => options.onProgress?.((done + share) / total)
    const voiceCount = spans.length === 1 ? options.speakerCount : undefined
    const key = `voices:${channel}:${voiceCount ?? 'any'}`
    const find = () => findSpeakers(decoded, channel, own, { voiceCount, signal: options.signal, onProgress })
    const found = isWanted[channel]
      ? (saved.find((entry) => entry.key === key)?.voices ?? (await attempt(find, options)))
      : null
    if (found) await options.voiceCheckpoint?.save({ key, voices: found })
    hasFailed ||= found === null && isWanted[channel] === true
    voices.push(found)
  }
  return { voices, warnings: hasFailed ? [failureWarning(spans.length)] : [] }
}

/** Null, and the reason told, for any failure but an abort. */
async function attempt(
  find: () => Promise<SpeakerTurns>,
  { signal, onSeparationFailure }: SeparationOptions & Run,
): Promise<SpeakerTurns | null> {
  try {
    return await find()
  } catch (error) {
    if (signal?.aborted) throw error
    onSeparationFailure?.(error)
    return null
  }
}

function isToSeparate(
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
