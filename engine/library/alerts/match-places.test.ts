import { expect, test } from 'vitest'
import { matchPlaces } from './match-places.ts'

const place = (timeMs: number, { word = 'river', side = null as number | null } = {}) => ({ word, timeMs, side })

function match(known: ReturnType<typeof place>[], found: ReturnType<typeof place>[]) {
  const matches = matchPlaces(known, found)
  return found.map((each) => matches.get(each)?.timeMs ?? null)
}

test('a word is the same hit within two seconds, however it is spelled', () => {
  expect(match([place(10_000, { word: 'پښتو' })], [place(12_000, { word: 'پښتو‌' })])).toEqual([10_000])
  expect(match([place(10_000)], [place(12_001)])).toEqual([null])
  expect(match([place(10_000)], [place(10_000, { word: 'sea' })])).toEqual([null])
})

test('each known hit is one of those found, and as many as possible are known', () => {
  expect(match([place(0), place(2_000)], [place(1_900), place(3_900)])).toEqual([0, 2_000])
  expect(match([place(5_000)], [place(5_000), place(5_500)])).toEqual([5_000, null])
})

test('a word of the other side is another hit, unless a side is not known', () => {
  expect(match([place(0, { side: 0 })], [place(0, { side: 1 })])).toEqual([null])
  expect(match([place(0, { side: 0 })], [place(0)])).toEqual([0])
  expect(match([place(0), place(500, { side: 1 })], [place(400, { side: 1 }), place(400, { side: 0 })])).toEqual([
    500, 0,
  ])
})
