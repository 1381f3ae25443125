import { describe, expect, it } from 'vitest'
import { makeModel } from '../../../testing/models.ts'
import { describeError, describeLanguages, describeSize, describeUse, describeWeakLanguages } from './descriptions.ts'

describe('what a model is chosen for', () => {
  it.each([
    [{ scope: 'language', code: 'fa' }, 'speech', 'Persian'],
    [{ scope: 'pair', code: 'fa-en' }, 'translation', 'Persian to English'],
    [{ scope: 'default', code: null }, 'speech', 'All other languages'],
    [{ scope: 'default', code: null }, 'translation', 'All other pairs'],
  ] as const)('is said in words: %o', (use, kind, text) => {
    expect(describeUse({ ...use, chosen_by: 'person' }, kind)).toBe(text)
  })
})

it('the errors of a pair name both languages', () => {
  const error = { metric: 'wer', percent: 29.42, corpus: 'FLEURS' }
  expect(describeError({ ...error, language: 'fa' })).toBe('Persian: 29.4% of words wrong (FLEURS)')
  expect(describeError({ ...error, language: 'fa-en' })).toBe('Persian to English: 29.4% of words wrong (FLEURS)')
})

it('a model says for which languages it is of little use', () => {
  const error = { metric: 'wer', corpus: 'FLEURS' }
  const errors = ['fa', 'ps'].map((language) => ({ ...error, language, percent: 90 }))
  const sentence = 'Of little use for Persian and Pashto: at least half of the words are wrong.'
  expect(describeWeakLanguages(makeModel({ kind: 'speech', errors }))).toBe(sentence)
  expect(describeWeakLanguages(makeModel({ kind: 'speech', errors: [] }))).toBeUndefined()
})

it('more than six languages are counted', () => {
  expect(describeLanguages(['fa', 'en'])).toBe('Persian, English')
  expect(describeLanguages(['fa', 'en', 'ur', 'ps', 'ar', 'de', 'fr', 'it'])).toMatch(/, German and 2 more$/)
})

it('a size that was not measured is that of the catalogue, or not known', () => {
  expect(describeSize(makeModel({ size_bytes: null, approximate_size: '3 GB' }))).toBe('about 3 GB')
  expect(describeSize(makeModel({ size_bytes: null }))).toBe('not known')
})
