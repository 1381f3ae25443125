import { expect, test } from 'vitest'
import { createComplexArray, createFourierTransform } from './fourier.ts'

test.each([1, 2, 64, 400, 512])('of %i values equals the sum that defines the discrete Fourier transform', (size) => {
  const values = createComplexArray(size)
  for (let at = 0; at < size; at += 1) {
    values.real[at] = ((at * 37) % 101) / 50 - 1
    values.imaginary[at] = ((at * 53) % 89) / 44 - 1
  }
  const { real, imaginary } = structuredClone(values)
  createFourierTransform(size)(values)
  const errors = Array.from({ length: size }, (_, bin) => {
    let [sumR, sumI] = [0, 0]
    for (let at = 0; at < size; at += 1) {
      const angle = (-2 * Math.PI * bin * at) / size
      const [r, i] = [real[at] ?? NaN, imaginary[at] ?? NaN]
      sumR += r * Math.cos(angle) - i * Math.sin(angle)
      sumI += r * Math.sin(angle) + i * Math.cos(angle)
    }
    return Math.hypot((values.real[bin] ?? NaN) - sumR, (values.imaginary[bin] ?? NaN) - sumI)
  })
  expect(Math.max(...errors)).toBeLessThan(1e-9)
})

test('of a size with another prime factor is refused', () => {
  expect(() => createFourierTransform(96)).toThrow('No Fourier transform of 96 values')
})
