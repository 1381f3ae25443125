import { expect, test } from 'vitest'
import { splitUtterances } from './split-utterances.ts'

/** Returns 20 ms frames of a voice with pauses at these times in milliseconds. */
function framesWith(pauses: [startMs: number, endMs: number][]): Float32Array {
  return Float32Array.from({ length: 500 }, (_, frame) =>
    pauses.some(([startMs, endMs]) => frame * 20 >= startMs && frame * 20 < endMs) ? 0.001 : 0.1,
  )
}

test('two sentences with a pause of 0.4 s between them are two utterances', () => {
  expect(splitUtterances([{ startMs: 0, endMs: 6000 }], framesWith([[2000, 2400]]))).toEqual([
    { startMs: 0, endMs: 2000 },
    { startMs: 2400, endMs: 6000 },
  ])
})

test('a pause inside a sentence, or less than a second of speech, separates nothing', () => {
  expect(splitUtterances([{ startMs: 0, endMs: 6000 }], framesWith([[2000, 2200]]))).toHaveLength(1)
  expect(splitUtterances([{ startMs: 0, endMs: 6000 }], framesWith([[600, 1000]]))).toHaveLength(1)
  expect(splitUtterances([{ startMs: 0, endMs: 6000 }], framesWith([[5200, 5600]]))).toHaveLength(1)
})

test('spans that the detector separated stay separate', () => {
  const spans = [
    { startMs: 0, endMs: 500 },
    { startMs: 1200, endMs: 6000 },
  ]
  expect(splitUtterances(spans, framesWith([]))).toEqual(spans)
})
