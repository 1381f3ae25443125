import { expect, test } from 'vitest'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { possibleLanguages, rankLanguages, rankWindowLanguage } from './rank-languages.ts'

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

test('an uncertain window gets the language of its surroundings, a certain one does not', () => {
  const channel = [
    { language: 'fa', probability: 0.9 },
    { language: 'ur', probability: 0.05 },
    { language: 'en', probability: 0.05 },
  ]
  const uncertain = { probabilities: { ur: 0.6, fa: 0.4 }, durationMs: 3000 }
  const certain = { probabilities: { en: 0.97, fa: 0.03 }, durationMs: 3000 }
  expect(rankWindowLanguage(uncertain, channel, possible)?.language).toBe('fa')
  expect(rankWindowLanguage(certain, channel, possible)?.language).toBe('en')
})

test('a certain window keeps its language, however rare that is in the channel', () => {
  const channel = [
    { language: 'fa', probability: 0.99 },
    { language: 'en', probability: 0.01 },
  ]
  const certain = { probabilities: { en: 0.85, fa: 0.15 }, durationMs: 3000 }
  expect(rankWindowLanguage(certain, channel, possible)).toEqual({ language: 'en', probability: 0.85 })
})

test.each([
  ['a single word', { probabilities: { en: 0.97, fa: 0.03 }, durationMs: 900 }],
  ['what sounds like none of them', { probabilities: { hu: 0.97, en: 0.009, fa: 0.001 }, durationMs: 3000 }],
])('%s gets the language of its surroundings', (_, evidence) => {
  const channel = [
    { language: 'fa', probability: 0.9995 },
    { language: 'en', probability: 0.0005 },
  ]
  expect(rankWindowLanguage(evidence, channel, possible)?.language).toBe('fa')
})

test('possible languages are those that the product offers and an installed model supports', () => {
  const english = { languages: ['en', 'fr'] } as SpeechModel // nothing else is read
  expect(possibleLanguages(english)).toEqual(['en'])
  expect(possibleLanguages(english, { ps: english })).toEqual(['ps', 'en'])
})
