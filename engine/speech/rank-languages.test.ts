import { expect, test } from 'vitest'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import {
  findCertainLanguage,
  isLongEnough,
  possibleLanguages,
  rankBySurroundings,
  rankLanguages,
} from './rank-languages.ts'

const possible = ['ps', 'en', 'ur', 'fa', 'ar']

test('never returns a language that is not possible, however probable', () => {
  const [best, ...others] = rankLanguages(
    [{ probabilities: { hu: 0.8, he: 0.15, fa: 0.04, en: 0.01 }, durationMs: 5000 }],
    possible,
  )
  expect(best).toEqual({ language: 'fa', probability: 0.8 })
  expect(others.map(({ language }) => language)).not.toContain('hu')
})

test('returns the mean of several windows, weighted by length', () => {
  const ranked = rankLanguages(
    [
      { probabilities: { ur: 0.9, fa: 0.1 }, durationMs: 1000 },
      { probabilities: { ur: 0.1, fa: 0.9 }, durationMs: 3000 },
    ],
    possible,
  )
  expect(ranked[0]?.language).toBe('fa')
  expect(ranked[0]?.probability).toBeCloseTo(0.7)
})

test('counts Hindi as Urdu', () => {
  expect(rankLanguages([{ probabilities: { hi: 0.6, ur: 0.1, en: 0.3 }, durationMs: 1 }], possible)[0]).toEqual({
    language: 'ur',
    probability: 0.7,
  })
})

test('the share of a language in its surroundings counts for an uncertain window', () => {
  const channel = [
    { language: 'fa', probability: 0.9 },
    { language: 'ur', probability: 0.05 },
    { language: 'en', probability: 0.05 },
  ]
  const uncertain = { probabilities: { ur: 0.6, fa: 0.4 }, durationMs: 3000 }
  expect(rankBySurroundings(uncertain, channel, possible)[0]?.language).toBe('fa')
})

test.each([
  ['is certain of', { probabilities: { en: 0.99, fa: 0.01 }, durationMs: 3000 }, 'en'],
  ['doubts', { probabilities: { en: 0.85, fa: 0.15 }, durationMs: 3000 }, undefined],
  ['hears in a single word', { probabilities: { en: 0.99, fa: 0.01 }, durationMs: 900 }, undefined],
  ['hears least unlikely', { probabilities: { hu: 0.97, en: 0.009, fa: 0.0001 }, durationMs: 3000 }, undefined],
])('a language that the model %s: %o', (_, evidence, language) => {
  expect(findCertainLanguage(evidence, possible)?.language).toBe(language)
})

test('a word or two are not long enough to tell a language by their text', () => {
  expect(isLongEnough({ probabilities: {}, durationMs: 1400 })).toBe(false)
  expect(isLongEnough({ probabilities: {}, durationMs: 1600 })).toBe(true)
})

test('possible languages are those that the product offers and an installed model supports', () => {
  const english = { languages: ['en', 'fr'] } as SpeechModel // nothing else is read
  expect(possibleLanguages(english)).toEqual(['en'])
  expect(possibleLanguages(english, { ps: english })).toEqual(['ps', 'en'])
})
