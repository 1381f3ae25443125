import { expect, test } from 'vitest'
import { addScores, scoreChannel } from './score.ts'

const own = [{ startMs: 1000, endMs: 2000 }]
const other = [{ startMs: 1500, endMs: 4000 }]

test('counts own speech that is missing, and speech of the other one away from it', () => {
  const detected = [
    { startMs: 1200, endMs: 2200 },
    { startMs: 3000, endMs: 3500 },
  ]
  expect(scoreChannel(detected, { own, other, collarMs: 250 })).toEqual({
    ownMs: 1000,
    takenOutMs: 200,
    otherMs: 1750,
    keptMs: 500,
    lostChannels: 0,
  })
})

test('counts a channel of which nothing is left, and adds up', () => {
  const lost = scoreChannel([], { own, other: [], collarMs: 250 })
  const silent = scoreChannel([], { own: [], other, collarMs: 250 })
  expect(addScores([lost, silent])).toEqual({
    ownMs: 1000,
    takenOutMs: 1000,
    otherMs: 2500,
    keptMs: 0,
    lostChannels: 1,
  })
})
