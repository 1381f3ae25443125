import { expect, test } from 'vitest'
import { planMonoCall } from './mono-plan.ts'
import type { PlannedPhrase } from './mono-plan.ts'

const phrases = [0, 1, 2].map((voice) => [
  { ms: 700 + voice * 100, pauseMs: 400 },
  { ms: 2500, pauseMs: 350 },
  { ms: 4000 },
  { ms: 1500, pauseMs: 320 },
  { ms: 3000 },
])

function plan(voiceCount: number, seed: number): PlannedPhrase[] {
  return planMonoCall({ minutes: 3, phrases: phrases.slice(0, voiceCount), seed })
}

test('the same seed gives the same call, another another', () => {
  expect(plan(3, 5)).toEqual(plan(3, 5))
  expect(plan(3, 6)).not.toEqual(plan(3, 5))
})

test.each([1, 2, 3])('all of %i voices speak, and nobody after the end', (voiceCount) => {
  const planned = plan(voiceCount, 2)
  expect(new Set(planned.map(({ voice }) => voice)).size).toBe(voiceCount)
  expect(planned.every(({ startMs, endMs }) => startMs >= 0 && startMs < endMs && endMs < 180_000)).toBe(true)
})

test('two voices talk over each other for 1 to 12 percent of the speech, one voice never', () => {
  const overShare = (planned: PlannedPhrase[]) => {
    const spokenMs = planned.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    const overMs = planned.reduce((sum, { startMs }, index) => {
      return sum + Math.max(0, (planned[index - 1]?.endMs ?? 0) - startMs)
    }, 0)
    return overMs / spokenMs
  }
  for (const seed of [1, 2, 3, 4, 5]) {
    expect(overShare(plan(1, seed))).toBe(0)
    const share = overShare(plan(2, seed))
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.12)
  }
})
