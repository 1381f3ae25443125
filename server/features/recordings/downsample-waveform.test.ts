import { expect, test } from 'vitest'
import { startCpuClock } from '#testing/cpu-clock.ts'
import { downsampleWaveform } from './downsample-waveform.ts'

const waveform = (...channels: number[][]) => ({
  binMs: 20,
  channels: channels.map((heights) => Uint8Array.from(heights)),
})
const downsample = (heights: number[], range: { from: number; to: number }, bins: number) =>
  downsampleWaveform(waveform(heights), range, bins).map((bytes) => [...bytes])[0]

test('each bin is the largest height of its part, with one row per channel', () => {
  const found = downsampleWaveform(waveform([1, 9, 3, 4], [5, 0, 0, 7]), { from: 0, to: 0.08 }, 2)
  expect(found.map((bytes) => [...bytes])).toEqual([
    [9, 4],
    [5, 7],
  ])
})

test('no height is lost where bins do not divide the waveform, and none is in two bins', () => {
  for (let at = 0; at < 7; at += 1) {
    const heights = Array.from({ length: 7 }, (_, index) => (index === at ? 200 : 0))
    expect(downsample(heights, { from: 0, to: 0.14 }, 3)?.filter((height) => height === 200)).toHaveLength(1)
  }
})

test('edges at a height boundary take no height of the other side, however the seconds are rounded', () => {
  const heights = Array.from({ length: 100 }, (_, index) => index)
  for (let start = 0; start < 99; start += 1) {
    expect(downsample(heights, { from: start * 0.02, to: (start + 1) * 0.02 }, 1)).toEqual([start])
    expect(downsample(heights, { from: start / 50, to: (start + 1) / 50 }, 2)).toEqual([start, start])
  }
})

test('a range that ends within a height shows it, and nothing follows the last height', () => {
  expect(downsample([1, 2, 3], { from: 0, to: 0.05 }, 1)).toEqual([3])
  expect(downsample([1, 2, 3], { from: 0.04, to: 0.12 }, 4)).toEqual([3, 0, 0, 0])
})

test('eight hours are downsampled within a frame', () => {
  const long = { binMs: 80, channels: [new Uint8Array(360_000), new Uint8Array(360_000)] }
  const cpuMs = startCpuClock()
  downsampleWaveform(long, { from: 0, to: 28_800 }, 4096)
  expect(cpuMs()).toBeLessThan(200)
})
