import { expect, test } from 'vitest'
import { voteLanguage } from './language-vote.ts'

test('one window is believed as it is', () => {
  expect(voteLanguage([{ language: 'ps', probability: 0.8, durationMs: 30_000 }])).toEqual({
    language: 'ps',
    probability: 0.8,
  })
})

test('the language with most probability wins, and windows that heard another count against it', () => {
  const vote = voteLanguage([
    { language: 'fa', probability: 0.5, durationMs: 1000 },
    { language: 'ps', probability: 0.9, durationMs: 1000 },
    { language: 'ps', probability: 0.7, durationMs: 2000 },
  ])
  expect(vote?.language).toBe('ps')
  expect(vote?.probability).toBeCloseTo(0.9 / 4 + 1.4 / 4)
})

test('a long window counts for more than two short ones', () => {
  const vote = voteLanguage([
    { language: 'en', probability: 1, durationMs: 400 },
    { language: 'en', probability: 1, durationMs: 400 },
    { language: 'ur', probability: 0.9, durationMs: 5000 },
  ])
  expect(vote?.language).toBe('ur')
})

test('nothing heard is no language', () => {
  expect(voteLanguage([])).toBeUndefined()
})
