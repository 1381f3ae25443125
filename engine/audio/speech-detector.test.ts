import { describe, expect, test } from 'vitest'

import { mix, noise, silence, sine } from '#testing/audio.ts'
import { createFrameStatistics } from './frame-statistics.ts'
import { detectSpeech } from './speech-detector.ts'

function framesOf(sound: Float32Array): Float32Array {
  const statistics = createFrameStatistics(1)
  statistics.add(Int16Array.from(sound, (sample) => Math.round(sample * 32_767)))
  return statistics.finish().frames[0] ?? new Float32Array()
}

/** A burst is loud and begins and ends at once, so its true edges are known. */
function burst(atMs: number, durationMs: number, db = -20) {
  return { sound: sine(durationMs, { db }), atMs }
}

function seconds(spans: { startMs: number; endMs: number }[]): number[][] {
  return spans.map(({ startMs, endMs }) => [startMs, endMs].map((ms) => Math.round(ms / 100) / 10))
}

describe('detectSpeech', () => {
  test('finds each sound within 50 ms of where it begins and ends', () => {
    const starts = [1000, 3010, 6500, 9333]
    const spans = detectSpeech(
      framesOf(
        mix(
          noise(12_000),
          starts.map((atMs) => burst(atMs, 700)),
        ),
      ),
    )
    expect(spans.length).toBe(starts.length)
    for (const [index, { startMs, endMs }] of spans.entries()) {
      expect(Math.abs(startMs - (starts[index] ?? 0))).toBeLessThanOrEqual(50)
      expect(Math.abs(endMs - (starts[index] ?? 0) - 700)).toBeLessThanOrEqual(50)
    }
  })

  test('finds nothing in silence, in noise of any level and in a recording without a frame', () => {
    for (const sound of [
      silence(60_000),
      noise(60_000, { db: -70 }),
      noise(60_000, { db: -50 }),
      noise(60_000, { db: -30 }),
      silence(0),
    ]) {
      expect(detectSpeech(framesOf(sound))).toEqual([])
    }
  })

  test('finds quiet speech of -35 dB over noise of -50 dB', () => {
    const quiet = mix(noise(20_000, { db: -50 }), [burst(4000, 1000, -35), burst(12_000, 1000, -35)])
    expect(seconds(detectSpeech(framesOf(quiet)))).toEqual([
      [4, 5],
      [12, 13],
    ])
  })

  test('a telephone that rings is no speech, and what is said right after it is', () => {
    const ring = mix(sine(2000, { hz: 440, db: -20 }), [{ sound: sine(2000, { hz: 480, db: -20 }), atMs: 0 }])
    const call = mix(silence(14_000), [{ sound: ring, atMs: 1000 }, { sound: ring, atMs: 7000 }, burst(10_000, 1000)])
    expect(seconds(detectSpeech(framesOf(call)))).toEqual([[10, 11]])
  })

  test('a voice that speaks into a tone is heard', () => {
    const call = mix(silence(8000), [
      { sound: sine(4000, { db: -30 }), atMs: 1000 },
      burst(2000, 400, -15),
      burst(2700, 600, -15),
    ])
    expect(detectSpeech(framesOf(call))).not.toEqual([])
  })

  test('keeps a short word and drops a click', () => {
    const sound = mix(noise(10_000), [burst(2000, 120), burst(6000, 15)])
    expect(detectSpeech(framesOf(sound)).map(({ startMs }) => Math.round(startMs / 100))).toEqual([20])
  })

  test('joins over a pause of 150 ms and separates over one of 300 ms', () => {
    const sound = mix(noise(10_000), [burst(2000, 500), burst(2650, 500), burst(6000, 500), burst(6800, 500)])
    expect(seconds(detectSpeech(framesOf(sound)))).toEqual([
      [2, 3.2],
      [6, 6.5],
      [6.8, 7.3],
    ])
  })

  test('follows noise that becomes louder and quieter', () => {
    const quiet = noise(30_000, { db: -60, seed: 1 })
    const sound = mix(silence(90_000), [
      { sound: quiet, atMs: 0 },
      { sound: noise(30_000, { db: -40, seed: 2 }), atMs: 30_000 },
      { sound: quiet, atMs: 60_000 },
      burst(29_000, 600, -20),
      burst(45_000, 600, -25),
      burst(61_000, 600, -45),
    ])
    expect(seconds(detectSpeech(framesOf(sound)))).toEqual([
      [29, 29.6],
      [45, 45.6],
      [61, 61.6],
    ])
  })

  test('finds a sound that fills a short file', () => {
    expect(seconds(detectSpeech(framesOf(mix(silence(1000), [burst(100, 800)]))))).toEqual([[0.1, 0.9]])
  })
})

describe('detectSpeech with the other channel', () => {
  const words = [2000, 5000, 8000, 14_000].map((atMs) => burst(atMs, 1400, -18))
  const answers = [11_000, 17_000].map((atMs) => burst(atMs, 1200, -22))
  const bleed = (sounds: typeof words, gainDb: number) =>
    sounds.map(({ sound, atMs }) => ({ sound, atMs: atMs + 25, gainDb }))
  const noiseOf = (seed: number) => noise(22_000, { db: -50, seed })

  test.each([-35, -26, -14])('does not take its voice at %i dB for speech of this one', (gainDb) => {
    const left = framesOf(mix(noiseOf(1), [...words, ...bleed(answers, gainDb)]))
    const right = framesOf(mix(noiseOf(2), [...answers, ...bleed(words, gainDb)]))
    expect(detectSpeech(left, { other: right }).map(({ startMs }) => Math.round(startMs / 1000))).toEqual([2, 5, 8, 14])
    expect(detectSpeech(right, { other: left }).map(({ startMs }) => Math.round(startMs / 1000))).toEqual([11, 17])
  })

  test('hears both when both speak at once, the quieter one too', () => {
    const interruption = burst(5300, 800, -30)
    const left = framesOf(mix(noiseOf(1), [...words, ...bleed(answers, -35)]))
    const right = framesOf(mix(noiseOf(2), [...answers, interruption, ...bleed(words, -35)]))
    expect(seconds(detectSpeech(right, { other: left }))[0]).toEqual([5.3, 6.1])
  })

  test('keeps the speech of nearly equal channels', () => {
    const left = framesOf(mix(noiseOf(1), words))
    const right = framesOf(mix(noiseOf(2), bleed(words, -2)))
    expect(detectSpeech(left, { other: right })).toEqual(detectSpeech(left))
    expect(detectSpeech(right, { other: left })).toEqual(detectSpeech(right))
  })
})
