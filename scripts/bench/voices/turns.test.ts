import { expect, test } from 'vitest'
import { readTurns, scoreDetection } from './turns.ts'

test('reads turns by file and joins those that overlap', () => {
  const rttm = `SPEAKER a 1 1.0 2.0 <NA> <NA> X <NA> <NA>
SPEAKER b 1 0.5 0.25 <NA> <NA> Y <NA> <NA>
SPEAKER a 1 2.5 1.5 <NA> <NA> Y <NA> <NA>
SPEAKER a 1 6 1 <NA> <NA> Y <NA> <NA>
`
  expect([...readTurns(rttm)]).toEqual([
    [
      'a',
      [
        { startMs: 1000, endMs: 4000 },
        { startMs: 6000, endMs: 7000 },
      ],
    ],
    ['b', [{ startMs: 500, endMs: 750 }]],
  ])
})

test('counts what is missed and what is false outside the collars', () => {
  const reference = [{ startMs: 2000, endMs: 6000 }]
  const options = { reference, durationMs: 10_000, collarMs: 250 }
  expect(scoreDetection(reference, options)).toEqual({ speechMs: 3500, pauseMs: 5500, missedMs: 0, falseMs: 0 })
  expect(scoreDetection([{ startMs: 1800, endMs: 6200 }], options)).toMatchObject({ missedMs: 0, falseMs: 0 })
  expect(scoreDetection([{ startMs: 3000, endMs: 7000 }], options)).toMatchObject({ missedMs: 750, falseMs: 750 })
  expect(scoreDetection([], options)).toMatchObject({ missedMs: 3500, falseMs: 0 })
})
