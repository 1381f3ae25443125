import { expect, test } from 'vitest'
import { isServedAgain, longestOutageMs, type AvailabilitySample } from './outage.ts'

const answered = (startedAtMs: number, endedAtMs = startedAtMs + 10): AvailabilitySample => ({
  startedAtMs,
  endedAtMs,
  isAnswered: true,
})
const refused = (startedAtMs: number): AvailabilitySample => ({
  startedAtMs,
  endedAtMs: startedAtMs + 10,
  isAnswered: false,
})

test('the outage runs from the fault to the first answer', () => {
  const probes = [answered(900), refused(1100), refused(2000), answered(3490), answered(3600)]
  expect(longestOutageMs(probes, { brokenAtMs: 1000, fromMs: 1000, toMs: 3700 })).toBe(2500)
})

test('a service that goes away again is out of service as long as its longest silence', () => {
  const probes = [answered(1090), answered(9090)]
  expect(longestOutageMs(probes, { brokenAtMs: 1000, fromMs: 1000, toMs: 9200 })).toBe(8000)
})

test('an answer to what was asked before the fault does not count', () => {
  const probes = [answered(990, 1020), answered(1890)]
  expect(longestOutageMs(probes, { brokenAtMs: 1000, fromMs: 1000, toMs: 2000 })).toBe(900)
})

test('a service that never came back is out of service to the end', () => {
  expect(longestOutageMs([refused(1100)], { brokenAtMs: 1000, fromMs: 1000, toMs: 61_000 })).toBe(60_000)
})

test('it serves again when the last answers all came', () => {
  const probes = [answered(100), refused(200), answered(300), answered(400)]
  expect(isServedAgain(probes, { sinceMs: 0, count: 2 })).toBe(true)
  expect(isServedAgain(probes, { sinceMs: 0, count: 3 })).toBe(false)
  expect(isServedAgain(probes, { sinceMs: 405, count: 2 })).toBe(false)
})
