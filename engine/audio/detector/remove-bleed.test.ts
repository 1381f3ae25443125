import { expect, test } from 'vitest'
import { noise, mix } from '#testing/audio.ts'
import { createFrameStatistics } from '../frame-statistics.ts'
import { removeBleed } from './remove-bleed.ts'

const options = { minSilenceMs: 500, minSpeechMs: 100 }

function framesOf(sound: Float32Array): Float32Array {
  const statistics = createFrameStatistics(1)
  statistics.add(Int16Array.from(sound, (sample) => Math.round(sample * 32_767)))
  return statistics.finish().frames[0] ?? new Float32Array()
}

const burst = (atMs: number, durationMs: number, db: number) => ({
  sound: noise(durationMs, { db, seed: atMs }),
  atMs,
})
const base = (seed: number) => noise(20_000, { db: -70, seed })
const span = (startMs: number, endMs: number) => ({ startMs, endMs })

test('drops a span of bleed and trims bleed from the end of a span of the own voice', () => {
  const left = [burst(1000, 2000, -20), burst(6000, 3000, -20)]
  const leaked = [burst(1025, 2000, -50), burst(6025, 3000, -50)]
  const right = [burst(4500, 1400, -22)]
  const spans = [
    [span(1000, 3000), span(6000, 9000)],
    [span(1040, 3040), span(4500, 9040)],
  ]
  const [own, other] = removeBleed(
    [framesOf(mix(base(1), left)), framesOf(mix(base(2), [...leaked, ...right]))],
    spans,
    options,
  )
  expect(own).toEqual(spans[0])
  expect(other?.map(({ startMs, endMs }) => [startMs, Math.round(endMs / 100)])).toEqual([[4500, 59]])
})

test('does not change nearly identical channels or a silent one', () => {
  const frames = framesOf(mix(base(1), [burst(1000, 2000, -20)]))
  const spans = [[span(1000, 3000)], [span(1000, 3000)]]
  expect(removeBleed([frames, frames], spans, options)).toEqual(spans)
  expect(removeBleed([frames, new Float32Array(frames.length)], [spans[0] ?? [], []], options)).toEqual([spans[0], []])
})
