import { frameMs } from './decoded-audio.ts'
import { fromDb, heldMaximum, percentile } from './levels.ts'

// How much louder than its floor the other channel must be for a frame to tell about bleed.
const clearVoice = fromDb(20)
const fewestFrames = 500 / frameMs
// Bleed arrives late (echo of the line) and rings on.
const echoFrames = 200 / frameMs
const alignFrames = 60 / frameMs
// Own voice must be this much louder than the bleed that is expected.
const margin = fromDb(8)
// Above this the channels are nearly one recording, and louder-than-the-other says nothing any more.
const strongestBleed = 0.6

/**
 * The level (RMS, 0 to 1) at each frame that the other speaker's voice may reach on this channel: telephone crosstalk and echo.
 * The channel's own share of it is learned from the recording: while the other one speaks, the quieter quarter of the frames
 * holds bleed alone. Own speech is what is louder. Zero where the channels cannot be told apart so.
 */
export function expectedBleed(
  own: { frames: Float32Array; floor: Float32Array },
  other: { frames: Float32Array; floor: Float32Array },
): Float32Array {
  const gain = bleedGain(own, other)
  if (gain === 0 || gain > strongestBleed) return new Float32Array(own.frames.length)
  const share = Math.min(1, gain * margin)
  return heldMaximum(other.frames, echoFrames, alignFrames).map((level) => level * share)
}

function bleedGain(
  own: { frames: Float32Array; floor: Float32Array },
  other: { frames: Float32Array; floor: Float32Array },
): number {
  const ownHeld = heldMaximum(own.frames, alignFrames, alignFrames)
  const otherHeld = heldMaximum(other.frames, alignFrames, alignFrames)
  const ratios: number[] = []
  for (const [frame, level] of otherHeld.entries()) {
    if (level < fromDb(-50) || level < (other.floor[frame] ?? 0) * clearVoice) continue
    const noise = own.floor[frame] ?? 0
    ratios.push(Math.sqrt(Math.max(0, (ownHeld[frame] ?? 0) ** 2 - noise ** 2)) / level)
  }
  return ratios.length < fewestFrames ? 0 : percentile(Float32Array.from(ratios), 0.25)
}
