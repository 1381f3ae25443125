import { expect, test } from 'vitest'
import { computeLogMel } from './log-mel.ts'

const audioLength = 19_200

/** Returns the sum of two sines and noise. */
function sound(length = audioLength): Float32Array {
  const samples = new Float32Array(length)
  let state = 1
  for (let at = 0; at < length; at += 1) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    const sines = 0.3 * Math.sin((2 * Math.PI * 440 * at) / 16_000) + 0.2 * Math.sin((2 * Math.PI * 3100 * at) / 16_000)
    samples[at] = sines + 0.05 * (state / 2 ** 31 - 1)
  }
  return samples
}

interface Reference {
  bands: number
  frames: number
  /** Values, by frame, of the first band, those at a fifth and at half of `bands`, and the last one. */
  values: [frame: number, values: number[]][]
}

/**
 * Made with faster-whisper 1.2.1: `FeatureExtractor(feature_size=bands)(padded, padding=0)`, where `padded` is `sound()` followed by zeros, or
 * cut, to 160 * frames samples. The audio ends at frame 120; with 100 frames it is cut.
 */
const references: Reference[] = [
  {
    bands: 80,
    frames: 200,
    values: [
      [0, [0.8865, 0.8894, 0.2147, 0.4219]],
      [1, [0.4281, 0.532, 0.2774, 0.4033]],
      [60, [0.4067, 0.2628, 0.3143, 0.4239]],
      [118, [0.0582, 0.4348, 0.4864, 0.4398]],
      [119, [0.3151, 0.3563, 0.4261, 0.3155]],
      [120, [0.7237, 0.6893, 0.403, 0.1509]],
      [121, [0.221, 0.1495, -0.387, -0.5062]],
      [122, [-0.6683, -0.6683, -0.6683, -0.6683]],
      [199, [-0.6683, -0.6683, -0.6683, -0.6683]],
    ],
  },
  {
    bands: 80,
    frames: 100,
    values: [
      [0, [0.8865, 0.8894, 0.2147, 0.4219]],
      [50, [0.2917, 0.3387, 0.2314, 0.3035]],
      [98, [0.2326, 0.322, 0.1907, 0.3088]],
      [99, [0.2603, 0.5244, 0.3666, 0.3879]],
    ],
  },
  {
    bands: 128,
    frames: 200,
    values: [
      [0, [0.8108, 0.9557, 0.004, 0.4631]],
      [1, [0.3523, 0.3398, 0.1451, 0.3359]],
      [60, [0.3309, 0.3361, 0.2093, 0.4384]],
      [118, [-0.0176, 0.1879, 0.4813, 0.4344]],
      [119, [0.2394, 0.2757, 0.3981, 0.3901]],
      [120, [0.648, 0.7838, 0.4065, 0.1466]],
      [121, [0.1452, 0.1852, -0.4015, -0.5551]],
      [122, [-0.6211, -0.6211, -0.6211, -0.6211]],
      [199, [-0.6211, -0.6211, -0.6211, -0.6211]],
    ],
  },
  {
    bands: 128,
    frames: 100,
    values: [
      [0, [0.8108, 0.9557, 0.004, 0.4631]],
      [50, [0.216, 0.2214, 0.2424, 0.2588]],
      [98, [0.1568, 0.2671, 0.1775, 0.3252]],
      [99, [0.1845, 0.1661, 0.3617, 0.3199]],
    ],
  },
]

test.each(references)('equals the reference for $bands bands and $frames frames', ({ bands, frames, values }) => {
  const logMel = computeLogMel(sound(), { bands, frames })
  expect(logMel.length).toBe(bands * frames)
  const compared = [0, Math.floor(bands / 5), bands / 2, bands - 1]
  for (const [frame, expected] of values) {
    const differences = compared.map((band, at) =>
      Math.abs((logMel[band * frames + frame] ?? NaN) - (expected[at] ?? NaN)),
    )
    expect(Math.max(...differences), `frame ${frame}`).toBeLessThan(1e-3)
  }
})

test('silence and empty audio have the value of the least power', () => {
  // (log10(1e-10) + 4) / 4
  const expected = new Float32Array(80 * 50).fill(-1.5)
  for (const samples of [new Float32Array(), new Float32Array(1), new Float32Array(8000), new Float32Array(20_000)]) {
    expect(computeLogMel(samples, { bands: 80, frames: 50 })).toEqual(expected)
  }
})

test('NaN and infinite samples count as 0', () => {
  const broken = sound()
  const zeroed = sound()
  for (const [at, value] of [
    [0, NaN],
    [5000, Infinity],
    [19_199, -Infinity],
  ] as const) {
    broken[at] = value
    zeroed[at] = 0
  }
  const options = { bands: 80, frames: 150 }
  expect(computeLogMel(broken, options)).toEqual(computeLogMel(zeroed, options))
})

test('audio that is longer than the frames is cut before the reflection', () => {
  const options = { bands: 80, frames: 100 }
  expect(computeLogMel(sound(), options)).toEqual(computeLogMel(sound(16_000), options))
})

test('zeros after the audio are the same as frames without audio', () => {
  const followed = new Float32Array(48_000)
  followed.set(sound())
  const options = { bands: 128, frames: 300 }
  expect(computeLogMel(followed, options)).toEqual(computeLogMel(sound(), options))
})

test('changes neither the samples nor the number of values for a single frame or none', () => {
  const samples = sound(100)
  const logMel = computeLogMel(samples, { bands: 80, frames: 1 })
  expect(samples).toEqual(sound(100))
  expect(logMel.length).toBe(80)
  expect(logMel.every((value) => Number.isFinite(value))).toBe(true)
  expect(computeLogMel(samples, { bands: 80, frames: 0 }).length).toBe(0)
})
