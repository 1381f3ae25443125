// Runs after the api suite (scripts/test.ts): what the suite's client saw of each endpoint against what the contract declares.
import { expect, test } from 'vitest'
import { findApiGaps } from './api-coverage.ts'

test('every endpoint is tested for success and for each error it declares', () => {
  expect(findApiGaps()).toEqual([])
})
