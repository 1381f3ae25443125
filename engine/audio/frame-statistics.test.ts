import { describe, expect, test } from 'vitest'

import { mix, noise, silence, sine } from '#testing/audio.ts'
import { createFrameStatistics } from './frame-statistics.ts'

function statisticsOf(channels: Float32Array[], chunkSamples = Number.POSITIVE_INFINITY) {
  const count = channels[0]?.length ?? 0
  const samples = new Int16Array(count * channels.length)
  for (const [index, channel] of channels.entries()) {
    for (const [at, sample] of channel.entries()) samples[at * channels.length + index] = Math.round(sample * 32_767)
  }
  const statistics = createFrameStatistics(channels.length)
  const step = Math.min(samples.length, chunkSamples * channels.length)
  for (let at = 0; at < samples.length; at += step) statistics.add(samples.subarray(at, at + step))
  return statistics.finish()
}

describe('frames', () => {
  test('have RMS and peak of every 20 ms of each channel', () => {
    const { frames, peaks, sampleCount } = statisticsOf([
      sine(1000, { hz: 1000, db: -20 }),
      sine(1000, { hz: 1000, db: -40 }),
    ])
    expect(sampleCount).toBe(16_000)
    expect(frames.map(({ length }) => length)).toEqual([50, 50])
    expect(frames[0]?.[25]).toBeCloseTo(0.1, 2)
    expect(frames[1]?.[25]).toBeCloseTo(0.01, 3)
    expect(peaks[0]?.[25]).toBeCloseTo(0.1 * Math.SQRT2, 3)
  })

  test('do not depend on how the samples are split into chunks', () => {
    const channels = [noise(3000, { db: -20, seed: 1 }), noise(3000, { db: -30, seed: 2 })]
    expect(statisticsOf(channels, 7)).toEqual(statisticsOf(channels))
  })

  test('do not count a DC offset and hum as loudness', () => {
    const dcOffset = silence(2000).fill(0.2)
    const hum = sine(2000, { hz: 50, db: -20 })
    expect(statisticsOf([dcOffset]).frames[0]?.[50]).toBeLessThan(0.001)
    expect(statisticsOf([hum]).frames[0]?.[50]).toBeLessThan(0.05)
  })

  test('do not include a last frame shorter than 20 ms', () => {
    const { frames, sampleCount } = statisticsOf([sine(1019)])
    expect(frames[0]?.length).toBe(50)
    expect(sampleCount).toBe(16_304)
  })
})

describe('correlation', () => {
  const voice = noise(2000, { db: -20, seed: 1 })

  test('is null for mono and for a silent channel', () => {
    expect(statisticsOf([voice])).toMatchObject({ correlation: null, isDualMono: false })
    expect(statisticsOf([voice, silence(2000)])).toMatchObject({ correlation: null, isDualMono: false })
  })

  test('is one for the same voice on both channels, also with some noise and one channel 2 dB quieter', () => {
    const copy = mix(noise(2000, { db: -50, seed: 9 }), [{ sound: voice, gainDb: -2 }])
    const { correlation, isDualMono } = statisticsOf([voice, copy])
    expect(correlation).toBeGreaterThan(0.99)
    expect(isDualMono).toBe(true)
  })

  test('treats a channel with inverted polarity as the same voice', () => {
    expect(statisticsOf([voice, voice.map((sample) => -sample)])).toMatchObject({ isDualMono: true })
  })

  test('does not treat a faint copy as the same voice, because it is crosstalk of a call', () => {
    expect(statisticsOf([voice, voice.map((sample) => sample / 30)]).isDualMono).toBe(false)
  })

  test('is near zero for two voices', () => {
    const { correlation, isDualMono } = statisticsOf([voice, noise(2000, { db: -20, seed: 2 })])
    expect(Math.abs(correlation ?? 1)).toBeLessThan(0.05)
    expect(isDualMono).toBe(false)
  })
})
