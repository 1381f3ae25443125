// Runs after the api suite (scripts/test.ts): compares the outcomes that the suite's client saw with those that the contract declares.
import { expect, test } from 'vitest'
import { findApiGaps } from './api-coverage-records.ts'

test('every endpoint is tested for success and for each error it declares', () => {
  expect(findApiGaps()).toEqual([])
})
