import { expect, test } from 'vitest'
import { describeRequest, findFailures, findLongestStreak, type Observation } from './observations.ts'

function observation(
  startedAtMs: number,
  endedAtMs: number,
  outcome: 'answered' | 'failed',
  { person = 1, what = 'GET /api/library' } = {},
): Observation {
  return { person, what, startedAtMs, endedAtMs, status: outcome === 'answered' ? 200 : 0 }
}

test('a streak lasts from the start of the first failed request to the end of the last one before an answer', () => {
  const observations = [
    observation(0, 100, 'answered'),
    observation(200, 300, 'failed'),
    observation(1_000, 6_000, 'failed'),
    observation(20_000, 20_500, 'answered'),
    observation(21_000, 21_100, 'failed'),
    observation(22_000, 22_300, 'answered'),
  ]
  expect(findLongestStreak(observations)).toEqual({ person: 1, what: 'GET /api/library', lengthMs: 5_800 })
})

test('an answer to another request, or of another person, ends no streak', () => {
  const observations = [
    observation(0, 1_000, 'failed'),
    observation(1_100, 1_200, 'answered', { what: 'GET /api/stats' }),
    observation(1_300, 1_400, 'answered', { person: 2 }),
    observation(2_000, 3_000, 'failed'),
  ]
  expect(findLongestStreak(observations)).toMatchObject({ person: 1, lengthMs: 3_000 })
})

test('there is no streak where everything was answered', () => {
  expect(findLongestStreak([observation(0, 20_000, 'answered')])).toBeUndefined()
})

test('what failed in a span includes what was under way when it began', () => {
  const early = observation(0, 900, 'failed')
  const overlapping = observation(900, 1_100, 'failed')
  const late = observation(2_100, 2_200, 'failed')
  const answered = observation(1_200, 1_300, 'answered')
  expect(findFailures([early, overlapping, late, answered], { fromMs: 1_000, toMs: 2_000 })).toEqual([overlapping])
})

test('requests about different recordings are the same', () => {
  const path = '/api/audio/0123456789abcdef01234567?part=2'
  expect(describeRequest('GET', path)).toBe('GET /api/audio/:id')
})
