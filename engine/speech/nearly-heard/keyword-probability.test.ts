import { expect, test } from 'vitest'
import { keywordProbability, type KeywordEvidence } from './keyword-probability.ts'

/** Evidence for دکمه where a model that is rarely sure wrote دکمی. */
const likely: KeywordEvidence = {
  logProbability: -3.5,
  endLogProbability: -0.1,
  heardLogProbability: -1.2,
  heardTokens: 3,
  meanLogProbability: -0.6,
  letters: 4,
  distance: 0.125,
}

test('what the model takes for probable is probable', () => {
  expect(keywordProbability(likely)).toBeGreaterThan(0.5)
  expect(keywordProbability({ ...likely, logProbability: -20 })).toBeLessThan(0.01)
})

test.each<[keyof KeywordEvidence, number]>([
  ['logProbability', -5],
  ['endLogProbability', -3],
  ['heardLogProbability', -0.1],
  ['meanLogProbability', -0.1],
  ['distance', 0.3],
])('it is less probable with a %s of %d', (name, value) => {
  expect(keywordProbability({ ...likely, [name]: value })).toBeLessThan(keywordProbability(likely))
})
