import { describe, expect, test } from 'vitest'
import { planCall } from './call-plan.ts'
import type { PlannedUtterance } from './call-plan.ts'

const voiceMs = [
  [1500, 2500, 4000, 6000],
  [2000, 3000, 8000],
] as const
const options = { minutes: 60, voiceMs, seed: 7 }

/** Returns the silence before each utterance; negative where it overlaps another one. */
function pausesMs(call: PlannedUtterance[]): number[] {
  return call
    .slice(1)
    .map(({ startMs }, index) => startMs - Math.max(...call.slice(0, index + 1).map(({ endMs }) => endMs)))
}

test('the same seed gives the same call, another one another', () => {
  expect(planCall(options)).toEqual(planCall(options))
  expect(planCall({ ...options, seed: 8 })).not.toEqual(planCall(options))
})

describe('an hour', () => {
  const call = planCall(options)

  test('keeps the lengths of the utterances and stays inside the hour', () => {
    for (const { channel, voice, startMs, endMs } of call) expect(endMs - startMs).toBe(voiceMs[channel][voice])
    expect(Math.max(...call.map(({ endMs }) => endMs))).toBeLessThan(3_600_000)
    expect(Math.max(...call.map(({ endMs }) => endMs))).toBeGreaterThan(3_500_000)
  })

  test('no speaker speaks over himself', () => {
    for (const channel of [0, 1]) {
      const own = call.filter((utterance) => utterance.channel === channel)
      for (const [index, { startMs }] of own.slice(1).entries()) expect(startMs).toBeGreaterThan(own[index]?.endMs ?? 0)
    }
  })

  test('has pauses of 0.4 to 20 s and some overlaps of at most 1.5 s', () => {
    const pauses = pausesMs(call)
    expect(Math.max(...pauses)).toBeGreaterThan(10_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(20_001)
    const over = pauses.filter((pause) => pause < 0)
    expect(over.length).toBeGreaterThan(10)
    expect(over.length).toBeLessThan(call.length / 5)
    expect(Math.min(...over)).toBeGreaterThanOrEqual(-1500)
  })

  test('no turn is longer than 9 s', () => {
    const turns: PlannedUtterance[][] = []
    for (const utterance of call) {
      const before = turns.at(-1)?.at(-1)
      const isSame = before && before.channel === utterance.channel && utterance.startMs - before.endMs <= 700
      if (isSame) turns.at(-1)?.push(utterance)
      else turns.push([utterance])
    }
    // Two turns of one speaker with a pause of 0.4 to 0.7 s between them look like one here.
    const long = turns.filter((turn) => (turn.at(-1)?.endMs ?? 0) - (turn[0]?.startMs ?? 0) > 9000)
    expect(long.length).toBeLessThan(turns.length / 20)
  })

  test('every utterance comes about as often as the others', () => {
    const counts = voiceMs[0].map((_, voice) => call.filter((one) => one.channel === 0 && one.voice === voice).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
  })
})

test('there is no speech in the silent minutes in the middle', () => {
  const call = planCall({ ...options, minutes: 18, silentMinutes: 10 })
  expect(call.filter(({ startMs, endMs }) => endMs > 240_000 && startMs < 840_000)).toEqual([])
  expect(call.some(({ endMs }) => endMs < 240_000)).toBe(true)
  expect(call.some(({ startMs }) => startMs >= 840_000)).toBe(true)
})
