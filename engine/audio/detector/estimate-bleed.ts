import { frameMs } from '../decoded-audio.ts'
import { fromDb, percentile, slidingMaximum } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'

/** The levels and the detected speech of one channel. */
export interface ChannelLevels {
  /** RMS of 20 ms frames. */
  frames: Float32Array
  spans: SpeechSpan[]
  /** Noise level, where nobody speaks on either channel. */
  noiseFloor: number
}

// How far above its noise floor the other channel must be for a frame to be used in the estimate.
const minVoiceAboveFloor = fromDb(20)
const minVoiceLevel = fromDb(-50)
const minFrames = 500 / frameMs
// Bleed arrives late (line echo) and decays slowly.
const echoFrames = 200 / frameMs
const alignFrames = 60 / frameMs
// The channel's own voice must be this much louder than the expected bleed.
const margin = fromDb(8)
// Above this the channels are nearly identical, and comparing their levels says nothing about who speaks.
const maxBleedGain = 0.6

/**
 * Returns for each frame the level that the other speaker's voice may reach on this channel through telephone crosstalk and echo. The
 * gain of the bleed is estimated from the recording: while the other one speaks, the quieter quarter of the frames holds only bleed.
 * Zero where the other one is silent, and everywhere where the channels are too similar for an estimate.
 */
export function estimateBleed(own: ChannelLevels, other: ChannelLevels): Float32Array {
  const voice = zeroOutside(other.frames, other.spans)
  const gain = estimateBleedGain(own, { voice, noiseFloor: other.noiseFloor })
  if (gain === 0 || gain > maxBleedGain) return new Float32Array(own.frames.length)
  const share = Math.min(1, gain * margin)
  return slidingMaximum(voice, echoFrames, alignFrames).map((level) => level * share)
}

function zeroOutside(frames: Float32Array, spans: SpeechSpan[]): Float32Array {
  const inside = new Float32Array(frames.length)
  for (const { startMs, endMs } of spans) {
    const [start, end] = [Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs)]
    inside.set(frames.subarray(start, end), Math.min(start, frames.length))
  }
  return inside
}

function estimateBleedGain(own: ChannelLevels, other: { voice: Float32Array; noiseFloor: number }): number {
  const ownMaxima = slidingMaximum(own.frames, alignFrames, alignFrames)
  const otherMaxima = slidingMaximum(other.voice, alignFrames, alignFrames)
  const ratios: number[] = []
  for (const [frame, level] of otherMaxima.entries()) {
    if (level < minVoiceLevel || level < other.noiseFloor * minVoiceAboveFloor) continue
    ratios.push(Math.sqrt(Math.max(0, (ownMaxima[frame] ?? 0) ** 2 - own.noiseFloor ** 2)) / level)
  }
  return ratios.length < minFrames ? 0 : percentile(Float32Array.from(ratios), 0.25)
}
