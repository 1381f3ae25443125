import { frameMs } from './decoded-audio.ts'
import { createLevelHistogram } from './level-histogram.ts'
import { fromDb } from './levels.ts'

const blockFrames = 500 / frameMs
const windowFrames = 10_000 / frameMs
const shortestWindowFrames = 3_000 / frameMs
// The quietest frames of a stretch that holds pauses are all noise and lie close together; where a voice never pauses they spread.
const steadyRange = fromDb(3)
// The weakest sounds of a voice lie this much below its loudest: no floor can be read from them.
const belowVoice = fromDb(-30)

interface Stretch {
  from: number
  to: number
}

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
  const whole = slidingMeasure(frames)({ from: 0, to: frames.length })
  const measureBefore = slidingMeasure(frames)
  const measureAfter = slidingMeasure(frames)
  for (let start = 0; start < frames.length; start += blockFrames) {
    const end = Math.min(frames.length, start + blockFrames)
    const before = { from: Math.max(0, end - windowFrames), to: end }
    const after = { from: start, to: Math.min(frames.length, start + windowFrames) }
    const sides = []
    if (isLongEnough(before)) sides.push(measureBefore(before))
    if (isLongEnough(after)) sides.push(measureAfter(after))
    floors.fill(chooseFloor(sides.length > 0 ? sides : [whole]), start, end)
  }
  return floors
}

function isLongEnough({ from, to }: Stretch): boolean {
  return to - from >= shortestWindowFrames
}

function chooseFloor(sides: Side[]): number {
  const steady = sides.filter(({ isSteady }) => isSteady)
  return Math.max(...(steady.length > 0 ? steady : sides).map(({ floor }) => floor))
}

/** Measures stretches that only move forwards; each frame is counted in and out once, however much they overlap. */
function slidingMeasure(frames: Float32Array): (stretch: Stretch) => Side {
  const histogram = createLevelHistogram()
  let first = 0
  let end = 0
  return ({ from, to }) => {
    for (; end < to; end += 1) histogram.add(frames[end] ?? 0)
    for (; first < from; first += 1) histogram.remove(frames[first] ?? 0)
    const quietest = histogram.percentile(0.02)
    const isSteady = histogram.percentile(0.1) <= quietest * steadyRange
    const floor = isSteady ? histogram.percentile(0.08) : Math.min(quietest, histogram.percentile(0.95) * belowVoice)
    return { floor, isSteady }
  }
}
