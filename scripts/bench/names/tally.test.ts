import { expect, test } from 'vitest'
import { sumCounts, countText, createNameTally, otherErrorRate, recallOf } from './tally.ts'

const listed = new Set(['qandahar', 'kabul'])

test('counts listed words that were said, and errors in all others', () => {
  const tally = createNameTally()
  countText(tally, { reference: 'from Qandahar to Kabul today', text: 'from Qandahar to cable today', listed })
  expect(tally).toEqual({ said: 2, recognized: 1, otherWords: 3, otherErrors: 0 })
  countText(tally, { reference: 'we go today', text: 'we go to day Kabul', listed })
  expect(tally).toEqual({ said: 2, recognized: 1, otherWords: 6, otherErrors: 3 })
  expect(recallOf(tally)).toBe(0.5)
  expect(otherErrorRate(sumCounts([tally, tally]))).toBe(0.5)
})

test('of nothing are 0', () => {
  expect(recallOf(createNameTally())).toBe(0)
  expect(otherErrorRate(createNameTally())).toBe(0)
})
