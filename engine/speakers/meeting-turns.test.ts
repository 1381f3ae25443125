import { expect, test } from 'vitest'
import { cutBlocks, joinBlocks, clipToSpeech } from './meeting-turns.ts'
import type { MeetingBlock } from './meeting-turns.ts'
import { voiceDirection } from './testing/windows.ts'

/** Returns a block in which each voice, numbered within the block, speaks once. */
function blockOf(startMs: number, people: number[]): MeetingBlock {
  return {
    turns: people.map((_, voice) => ({ startMs: startMs + voice * 1000, endMs: startMs + voice * 1000 + 900, voice })),
    groups: people.map((person) => ({ sum: voiceDirection(person).map((value) => value * 4), size: 4 })),
  }
}

test('matches voices across blocks with different numbers', () => {
  const turns = joinBlocks([blockOf(0, [0, 1]), blockOf(600_000, [1, 2, 0])], { joinThreshold: 0.65 })
  const [a, b, again, third, first] = turns.map(({ voice }) => voice)
  expect([again, first]).toEqual([b, a])
  expect(new Set([a, b, third]).size).toBe(3)
})

test('a known number of voices applies to all blocks together', () => {
  const turns = joinBlocks([blockOf(0, [0, 1]), blockOf(600_000, [2, 0])], { joinThreshold: 0.65, voiceCount: 2 })
  expect(new Set(turns.map(({ voice }) => voice)).size).toBe(2)
})

test('a voice too short to compare is not counted as another one', () => {
  const block = blockOf(600_000, [0, 5])
  const turns = joinBlocks([blockOf(0, [0]), { ...block, groups: [block.groups[0], undefined] }], {
    joinThreshold: 0.65,
  })
  expect(turns.map(({ voice }) => voice)).toEqual([0, 0, 0])
})

test('blocks start and end with speech and last at most five minutes', () => {
  expect(cutBlocks([])).toEqual([])
  const spans = Array.from({ length: 12 }, (_, index) => ({ startMs: index * 60_000, endMs: index * 60_000 + 50_000 }))
  expect(cutBlocks(spans)).toEqual([
    { startMs: 0, endMs: 290_000 },
    { startMs: 300_000, endMs: 590_000 },
    { startMs: 600_000, endMs: 710_000 },
  ])
})

test('turns are clipped to speech, also where they overlap', () => {
  const spans = [
    { startMs: 1000, endMs: 2000 },
    { startMs: 3000, endMs: 4000 },
  ]
  const turns = [
    { startMs: 500, endMs: 3500, voice: 0 },
    { startMs: 1500, endMs: 1800, voice: 1 },
    { startMs: 2100, endMs: 2900, voice: 1 },
    { startMs: 3900, endMs: 5000, voice: 1 },
  ]
  expect(clipToSpeech(turns, spans)).toEqual([
    { startMs: 1000, endMs: 2000, voice: 0 },
    { startMs: 3000, endMs: 3500, voice: 0 },
    { startMs: 1500, endMs: 1800, voice: 1 },
    { startMs: 3900, endMs: 4000, voice: 1 },
  ])
})
