import { expect, test } from 'vitest'
import { excerptSentence } from './excerpt-sentence.ts'

test('a short text stays whole', () => {
  expect(excerptSentence('at the river', { start: 7, end: 12 })).toEqual({
    sentence: 'at the river',
    markStart: 7,
    markEnd: 12,
  })
})

test('a long text is cut between words around the hit, which stays marked', () => {
  const text = `${'before '.repeat(100)}river${' after'.repeat(100)}`
  const { sentence, markStart, markEnd } = excerptSentence(text, { start: 700, end: 705 })
  expect(sentence.slice(markStart, markEnd)).toBe('river')
  expect(sentence).toMatch(/^…before .* after…$/)
  expect(sentence.length).toBeLessThanOrEqual(302)
})
