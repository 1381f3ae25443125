import { frameMs } from '../decoded-audio.ts'
import { fromDb, heldMaximum, percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'

/** A channel as the detector knows it. */
export interface HeardChannel {
  /** RMS of 20 ms frames. */
  frames: Float32Array
  spans: SpeechSpan[]
  /** Level of its noise, where nobody speaks on either channel. */
  floor: number
}

// How much louder than its floor the other channel must be for a frame to tell about bleed.
const clearVoice = fromDb(20)
const quietestVoice = fromDb(-50)
const minFrames = 500 / frameMs
// Bleed arrives late (echo of the line) and rings on.
const echoFrames = 200 / frameMs
const alignFrames = 60 / frameMs
// Own voice must be this much louder than the bleed that is expected.
const margin = fromDb(8)
// Above this the channels are nearly one recording, and louder-than-the-other says nothing any more.
const maxBleed = 0.6

/**
 * The level at each frame that the other speaker's voice may reach on this channel: telephone crosstalk and echo. The channel's
 * own share of it is learned from the recording: while the other one speaks, the quieter quarter of the frames holds bleed alone.
 * Zero where the other one is silent, and everywhere where the channels cannot be told apart so.
 */
export function expectedBleed(own: HeardChannel, other: HeardChannel): Float32Array {
  const voice = onlyInside(other.frames, other.spans)
  const gain = bleedGain(own, { voice, floor: other.floor })
  if (gain === 0 || gain > maxBleed) return new Float32Array(own.frames.length)
  const share = Math.min(1, gain * margin)
  return heldMaximum(voice, echoFrames, alignFrames).map((level) => level * share)
}

function onlyInside(frames: Float32Array, spans: SpeechSpan[]): Float32Array {
  const inside = new Float32Array(frames.length)
  for (const { startMs, endMs } of spans) {
    const [start, end] = [Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs)]
    inside.set(frames.subarray(start, end), Math.min(start, frames.length))
  }
  return inside
}

function bleedGain(own: HeardChannel, other: { voice: Float32Array; floor: number }): number {
  const ownHeld = heldMaximum(own.frames, alignFrames, alignFrames)
  const otherHeld = heldMaximum(other.voice, alignFrames, alignFrames)
  const ratios: number[] = []
  for (const [frame, level] of otherHeld.entries()) {
    if (level < quietestVoice || level < other.floor * clearVoice) continue
    ratios.push(Math.sqrt(Math.max(0, (ownHeld[frame] ?? 0) ** 2 - own.floor ** 2)) / level)
  }
  return ratios.length < minFrames ? 0 : percentile(Float32Array.from(ratios), 0.25)
}
