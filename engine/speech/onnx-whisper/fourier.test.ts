import { expect, test } from 'vitest'
import { createComplexArray, fourierTransform, fourierSize } from './fourier.ts'

test('equals the sum that defines the discrete Fourier transform', () => {
  const values = createComplexArray()
  for (let at = 0; at < fourierSize; at += 1) {
    values.real[at] = ((at * 37) % 101) / 50 - 1
    values.imaginary[at] = ((at * 53) % 89) / 44 - 1
  }
  const { real, imaginary } = structuredClone(values)
  fourierTransform(values, createComplexArray())
  const errors = Array.from({ length: fourierSize }, (_, bin) => {
    let [sumR, sumI] = [0, 0]
    for (let at = 0; at < fourierSize; at += 1) {
      const angle = (-2 * Math.PI * bin * at) / fourierSize
      const [r, i] = [real[at] ?? NaN, imaginary[at] ?? NaN]
      sumR += r * Math.cos(angle) - i * Math.sin(angle)
      sumI += r * Math.sin(angle) + i * Math.cos(angle)
    }
    return Math.hypot((values.real[bin] ?? NaN) - sumR, (values.imaginary[bin] ?? NaN) - sumI)
  })
  expect(Math.max(...errors)).toBeLessThan(1e-9)
})
