import { expect, test } from 'vitest'
import { listWeakLanguages } from './weak-languages.ts'

const error = (language: string, percent: number, metric = 'wer') => ({ language, metric, percent, corpus: 'FLEURS' })

test('a speech model is of little use for languages of which it gets at least half of the words wrong in every measurement', () => {
  const errors = [
    error('fa', 100),
    error('fa', 78.6),
    error('ur', 53.7),
    error('ur', 20.4),
    error('en', 6.6),
    error('ps', 50),
  ]
  expect(listWeakLanguages({ kind: 'speech', errors })).toEqual(['fa', 'ps'])
})

test('other metrics, languages that nobody measured and translation models say nothing', () => {
  expect(listWeakLanguages({ kind: 'speech', errors: [error('fa', 80, 'exact_mismatch')] })).toEqual([])
  expect(listWeakLanguages({ kind: 'speech', errors: [] })).toEqual([])
  expect(listWeakLanguages({ kind: 'translation', errors: [error('fa', 80)] })).toEqual([])
})
