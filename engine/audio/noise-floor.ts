import { frameMs } from './decoded-audio.ts'
import { fromDb, percentile } from './levels.ts'

const blockFrames = 500 / frameMs
const windowFrames = 10_000 / frameMs
const shortestWindowFrames = 3_000 / frameMs
const noiseShare = 0.08
const loudShare = 0.95
// Frames of mere noise lie within this range; those of speech spread over more than speechRangeDb, its weakest sounds included.
const noiseRangeDb = 8
const speechRangeDb = 25

interface Level {
  floor: number
  loud: number
}

/**
 * The noise floor at each frame (RMS, 0 to 1). It follows a change of the noise at once, because the ten seconds before and the ten
 * seconds after a frame are judged apart and the louder floor counts, unless that side may be all speech: a voice without a
 * pause must not become the floor it is measured against.
 */
export function estimateNoiseFloor(frames: Float32Array): Float32Array {
  const floors = new Float32Array(frames.length)
  for (let start = 0; start < frames.length; start += blockFrames) {
    const end = Math.min(frames.length, start + blockFrames)
    const before = frames.subarray(Math.max(0, end - windowFrames), end)
    const after = frames.subarray(start, start + windowFrames)
    floors.fill(chooseFloor(frames, before, after), start, end)
  }
  return floors
}

function chooseFloor(frames: Float32Array, before: Float32Array, after: Float32Array): number {
  const sides = [before, after].filter((side) => side.length >= shortestWindowFrames)
  if (sides.length === 0) sides.push(frames.length > windowFrames ? after : frames)
  const levels = sides.map(measure).toSorted((a, b) => a.floor - b.floor)
  const [low = { floor: 0, loud: 0 }] = levels
  const high = levels.at(-1) ?? low
  const lowest = levels.length > 1 ? low.floor : 0
  return mayBeAllSpeech(high) ? Math.max(lowest, Math.min(high.floor, high.loud * fromDb(-speechRangeDb))) : high.floor
}

function measure(side: Float32Array): Level {
  return { floor: percentile(side, noiseShare), loud: percentile(side, loudShare) }
}

function mayBeAllSpeech({ floor, loud }: Level): boolean {
  return loud > floor * fromDb(noiseRangeDb) && loud < floor * fromDb(speechRangeDb)
}
