import { expect, test } from 'vitest'
import { addSecondPass, joinRuns } from './join-runs.ts'

const options = { minSilenceMs: 500, minSpeechMs: 100 }
const run = (startMs: number, endMs: number, isCertain = true) => ({ startMs, endMs, isCertain })

test('what only the second pass heard is added, with the certainty of either', () => {
  const first = [run(1000, 2000, false), run(6000, 7000)]
  const second = [run(200, 2400), run(4000, 4500, false), run(6500, 7200, false)]
  expect(addSecondPass(first, second)).toEqual([
    run(200, 700),
    run(1000, 2000),
    run(2300, 2400),
    run(4000, 4500, false),
    run(6000, 7000),
  ])
})

test('joins only across pauses shorter than the minimum silence', () => {
  expect(joinRuns([run(0, 300), run(799, 900), run(1400, 1600)], options)).toEqual([
    { startMs: 0, endMs: 900 },
    { startMs: 1400, endMs: 1600 },
  ])
})

test('keeps an uncertain run next to a certain one, and drops a span with uncertain runs only', () => {
  expect(joinRuns([run(0, 300, false), run(400, 900), run(2000, 2400, false)], options)).toEqual([
    { startMs: 0, endMs: 900 },
  ])
})

test('drops spans shorter than the minimum speech', () => {
  expect(joinRuns([run(0, 96), run(1000, 1128)], options)).toEqual([{ startMs: 1000, endMs: 1128 }])
})
