import { expect, test } from 'vitest'
import { VoiceState } from './voice-state.ts'

/** Returns which windows with these probabilities of a voice are voiced. */
function classify(...probabilities: number[]): boolean[] {
  const state = new VoiceState(0.5)
  return probabilities.map((probability) => state.add(probability))
}

test('a voice starts with the second window in a row above the threshold', () => {
  expect(classify(0.9, 0.1, 0.9, 0.9)).toEqual([false, false, false, true])
  expect(classify(0.5, 0.5, 0.5)).toEqual([false, false, false])
})

test('a voice goes on above 0.15 less than the threshold', () => {
  expect(classify(0.9, 0.9, 0.4, 0.4, 0.4)).toEqual([false, true, true, true, true])
})

test('a voice ends with the second window below that', () => {
  expect(classify(0.9, 0.9, 0.3, 0.3, 0.9)).toEqual([false, true, true, false, false])
})

test('a single window below that is part of the voice', () => {
  expect(classify(0.9, 0.9, 0.3, 0.9, 0.3, 0.9)).toEqual([false, true, true, true, true, true])
})

test('after a window below that, one between the two does not count as a new voice', () => {
  expect(classify(0.9, 0.9, 0.3, 0.4, 0.3)).toEqual([false, true, true, true, false])
})

test('after a reset nothing was heard', () => {
  const state = new VoiceState(0.5)
  state.add(0.9)
  state.reset()
  expect(state.add(0.9)).toBe(false)
})
