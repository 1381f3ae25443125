import { expect, test } from 'vitest'
import { findPauses } from './find-pauses.ts'

/** Returns 20 ms frames: `loud` at the level of a voice, `quiet` 40 dB below it. */
function framesOf(...parts: ['loud' | 'quiet', number][]): Float32Array {
  return Float32Array.from(
    parts.flatMap(([level, ms]) => Array.from({ length: ms / 20 }, () => (level === 'loud' ? 0.1 : 0.001))),
  )
}

test('finds the pause between two passages of speech', () => {
  const frames = framesOf(['quiet', 200], ['loud', 1000], ['quiet', 480], ['loud', 2000])
  expect(findPauses(frames, { startMs: 200, endMs: 3680 }, 360)).toEqual([{ startMs: 1200, endMs: 1680 }])
})

test('skips the closure of a consonant and the silence at both ends of the span', () => {
  const frames = framesOf(['quiet', 600], ['loud', 1000], ['quiet', 200], ['loud', 1000], ['quiet', 600])
  expect(findPauses(frames, { startMs: 0, endMs: 3400 }, 360)).toEqual([])
})

test('finds nothing outside the frames', () => {
  expect(findPauses(new Float32Array(), { startMs: 0, endMs: 1000 }, 360)).toEqual([])
})
