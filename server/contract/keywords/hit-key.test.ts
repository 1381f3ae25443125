import { expect, test } from 'vitest'
import { hitKey } from './hit-key.ts'

test('is the same however the keyword is spelled, and differs by category, time, word and number', () => {
  const key = hitKey({ category: 'intent', keyword: 'پيسې', start: 12.3456 })
  expect(key).toBe(hitKey({ category: 'intent', keyword: 'پیسی', start: 12.346 }))
  const others = [
    hitKey({ category: 'custom', keyword: 'پيسې', start: 12.3456 }),
    hitKey({ category: 'intent', keyword: 'پيسې', start: 12.347 }),
    hitKey({ category: 'intent', keyword: 'پل', start: 12.3456 }),
    hitKey({ category: 'intent', keyword: 'پيسې', start: 12.3456, number: 2 }),
  ]
  expect(new Set([key, ...others]).size).toBe(5)
})

test('is short enough for a request even where a letter folds to many', () => {
  expect(hitKey({ category: 'sentiment', keyword: 'ﷺ'.repeat(29), start: 999_999 }).length).toBeLessThanOrEqual(200)
})
