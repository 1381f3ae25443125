import { frameMs } from './decoded-audio.ts'
import { fromDb } from './levels.ts'

const blockFrames = 500 / frameMs
const windowFrames = 10_000 / frameMs
const shortestWindowFrames = 3_000 / frameMs
// The quietest frames of a stretch that holds pauses are all noise and lie close together; where a voice never pauses they spread.
const steadyRange = fromDb(3)
// The weakest sounds of a voice lie this much below its loudest: no floor can be read from them.
const belowVoice = fromDb(-30)

interface Side {
  floor: number
  /** There are pauses in it, so that the floor is noise and not the weakest part of a voice. */
  isSteady: boolean
}

/**
 * The noise floor at each frame (RMS, 0 to 1). It follows a change of the noise at once, because the ten seconds before and the ten
 * seconds after a frame are judged apart and the louder floor counts; a side where a voice never pauses does not count, or
 * speech would become the floor that it is measured against.
 */
export function estimateNoiseFloor(frames: Float32Array): Float32Array {
  const floors = new Float32Array(frames.length)
  for (let start = 0; start < frames.length; start += blockFrames) {
    const end = Math.min(frames.length, start + blockFrames)
    const before = frames.subarray(Math.max(0, end - windowFrames), end)
    const after = frames.subarray(start, start + windowFrames)
    const sides = [before, after].filter((side) => side.length >= shortestWindowFrames)
    floors.fill(chooseFloor((sides.length > 0 ? sides : [frames]).map(measure)), start, end)
  }
  return floors
}

function chooseFloor(sides: Side[]): number {
  const steady = sides.filter(({ isSteady }) => isSteady)
  return Math.max(...(steady.length > 0 ? steady : sides).map(({ floor }) => floor))
}

function measure(side: Float32Array): Side {
  const sorted = side.toSorted()
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0
  const isSteady = at(0.1) <= at(0.02) * steadyRange
  return { floor: isSteady ? at(0.08) : Math.min(at(0.02), at(0.95) * belowVoice), isSteady }
}
