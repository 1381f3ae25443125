import { expect, test } from 'vitest'
import { createSpeedMeter } from './speed-meter.ts'

test('returns the processing time per second of audio in the last minutes, by model', () => {
  let nowMs = 0
  const meter = createSpeedMeter({ keepMs: 60_000, now: () => nowMs })
  meter.record({ model: 'slow', audioMs: 10_000, workMs: 20_000 })
  nowMs = 30_000
  meter.record({ model: 'fast', audioMs: 10_000, workMs: 1000 })
  meter.record({ model: 'fast', audioMs: 30_000, workMs: 5000 })
  expect(meter.read()).toEqual([
    { model: 'slow', real_time_factor: 2, audio_seconds: 10 },
    { model: 'fast', real_time_factor: 0.15, audio_seconds: 40 },
  ])
  nowMs = 61_000
  expect(meter.read().map(({ model }) => model)).toEqual(['fast'])
  nowMs = 91_000
  expect(meter.read()).toEqual([])
})
