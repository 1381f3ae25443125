import { expect, test } from 'vitest'
import { mix, silence, sine } from '#testing/audio.ts'
import { computeSpectrogram, lowestDb } from './spectrogram.ts'

const toSamples = (channels: Float32Array[]) => {
  const [first = new Float32Array()] = channels
  return Int16Array.from({ length: first.length * channels.length }, (_, at) =>
    Math.round(32_767 * (channels[at % channels.length]?.[Math.floor(at / channels.length)] ?? 0)),
  )
}
const rows = 128
const columns = 10
/** Returns the loudest row of each column; -1 where all is silent. */
const peaksOf = (levels: Uint8Array = new Uint8Array()) =>
  Array.from({ length: columns }, (_, column) => {
    const cell = [...levels.subarray(column * rows, (column + 1) * rows)]
    const highest = Math.max(...cell)
    return highest < 40 ? -1 : cell.indexOf(highest)
  })

test.each([16_000, 8_000])('shows at %i Hz when each channel has which frequency, and how loud', (sampleRate) => {
  // At half the sample rate, the tones of the test sound are at half their frequency.
  const left = mix(silence(1000), [{ sound: sine(500, { hz: 1000, db: -4 }), atMs: 0 }])
  const right = mix(silence(1000), [{ sound: sine(500, { hz: 3000, db: -34 }), atMs: 500 }])
  const sound = { samples: toSamples([left, right]), channelCount: 2, sampleRate }
  const { maxHz, channels } = computeSpectrogram(sound, { columns, rows })
  expect(maxHz).toBe(sampleRate / 2)
  expect(peaksOf(channels[0]).slice(0, 4)).toEqual([16, 16, 16, 16])
  expect(peaksOf(channels[0]).slice(6)).toEqual([-1, -1, -1, -1])
  expect(peaksOf(channels[1]).slice(0, 4)).toEqual([-1, -1, -1, -1])
  expect(peaksOf(channels[1]).slice(6)).toEqual([48, 48, 48, 48])
  // One dB below full scale, and 30 dB below that.
  expect(channels[0]?.[rows + 16]).toBeGreaterThan(247)
  expect((channels[0]?.[rows + 16] ?? 0) - (channels[1]?.[8 * rows + 48] ?? 0)).toBeCloseTo((255 * 30) / -lowestDb, -1)
})

test('has all columns of a sound that is shorter than a frame', () => {
  const sound = { samples: toSamples([sine(10, { hz: 2000, db: -4 })]), channelCount: 1, sampleRate: 16_000 }
  const { channels } = computeSpectrogram(sound, { columns, rows })
  expect(channels).toHaveLength(1)
  expect(peaksOf(channels[0])[5]).toBe(32)
})

test('a short click between the frames of a wide column is not lost', () => {
  const click = mix(silence(20_000), [{ sound: sine(20, { hz: 1000, db: -4 }), atMs: 13_011 }])
  const sound = { samples: toSamples([click]), channelCount: 1, sampleRate: 16_000 }
  const { channels } = computeSpectrogram(sound, { columns, rows })
  expect(peaksOf(channels[0])).toEqual([-1, -1, -1, -1, -1, -1, 16, -1, -1, -1])
})
