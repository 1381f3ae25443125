import { expect, test } from 'vitest'
import { errorRate, scoreDiarization } from './diarization-error.ts'
import type { VoiceStretch } from './diarization-error.ts'

const reference: VoiceStretch[] = [
  { startMs: 0, endMs: 4000, voice: 'anna' },
  { startMs: 5000, endMs: 8000, voice: 'ben' },
  { startMs: 9000, endMs: 10_000, voice: 'anna' },
]

function rename(stretches: VoiceStretch[], names: Record<string, number>): VoiceStretch[] {
  return stretches.map((stretch) => ({ ...stretch, voice: names[stretch.voice] ?? -1 }))
}

test('the reference under other names has no error', () => {
  const score = scoreDiarization(rename(reference, { anna: 1, ben: 0 }), reference, { collarMs: 0 })
  expect(score).toEqual({ speechMs: 8000, missedMs: 0, falseMs: 0, confusedMs: 0 })
  expect(errorRate(score)).toBe(0)
})

test('one voice for two is confusion of the one who speaks less', () => {
  const score = scoreDiarization(rename(reference, { anna: 0, ben: 0 }), reference, { collarMs: 0 })
  expect(score).toEqual({ speechMs: 8000, missedMs: 0, falseMs: 0, confusedMs: 3000 })
  expect(errorRate(score)).toBe(0.375)
})

test('two voices for one is confusion of the shorter part', () => {
  const found = [
    { startMs: 0, endMs: 3000, voice: 0 },
    { startMs: 3000, endMs: 4000, voice: 1 },
  ]
  expect(scoreDiarization(found, reference.slice(0, 1), { collarMs: 0 })).toMatchObject({ confusedMs: 1000 })
})

test('matches voices by the most time in all, not each by its own', () => {
  const found = [
    { startMs: 0, endMs: 2000, voice: 0 },
    { startMs: 2000, endMs: 3000, voice: 1 },
    { startMs: 3000, endMs: 5000, voice: 1 },
  ]
  const twoVoices = [
    { startMs: 0, endMs: 3000, voice: 'anna' },
    { startMs: 3000, endMs: 5000, voice: 'ben' },
  ]
  expect(scoreDiarization(found, twoVoices, { collarMs: 0 })).toMatchObject({ confusedMs: 1000 })
})

test('missed speech and false alarms count separately', () => {
  const found = [{ startMs: 500, endMs: 4700, voice: 0 }]
  expect(scoreDiarization(found, reference, { collarMs: 0 })).toEqual({
    speechMs: 8000,
    missedMs: 4500,
    falseMs: 700,
    confusedMs: 0,
  })
})

test('where two speak at once, one found voice is one missed', () => {
  const both = [
    { startMs: 0, endMs: 2000, voice: 'anna' },
    { startMs: 1000, endMs: 3000, voice: 'ben' },
  ]
  const found = [
    { startMs: 0, endMs: 1500, voice: 0 },
    { startMs: 1500, endMs: 3000, voice: 1 },
  ]
  expect(scoreDiarization(found, both, { collarMs: 0 })).toEqual({
    speechMs: 4000,
    missedMs: 1000,
    falseMs: 0,
    confusedMs: 0,
  })
})

test('nothing counts near a true edge', () => {
  const found = [{ startMs: 240, endMs: 4240, voice: 0 }]
  expect(scoreDiarization(found, reference.slice(0, 1), { collarMs: 250 })).toEqual({
    speechMs: 3500,
    missedMs: 0,
    falseMs: 0,
    confusedMs: 0,
  })
})

test('nothing found misses everything, and nothing said has no rate', () => {
  expect(errorRate(scoreDiarization([], reference, { collarMs: 0 }))).toBe(1)
  expect(errorRate(scoreDiarization(reference, [], { collarMs: 0 }))).toBe(0)
})
