/** Complex numbers as two arrays of equal length. */
export interface ComplexArray {
  real: Float64Array
  imaginary: Float64Array
}

export function createComplexArray(length: number): ComplexArray {
  return { real: new Float64Array(length), imaginary: new Float64Array(length) }
}

/** Creates a function that replaces `size` values, a power of two, by their discrete Fourier transform (radix 2, Cooley and Tukey). */
export function createFourierTransform(size: number): (values: ComplexArray) => void {
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size))
  const sines = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size))
  const swaps = listSwaps(size)
  return ({ real, imaginary }) => {
    for (const [from, to] of swaps) {
      swap(real, from, to)
      swap(imaginary, from, to)
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / 2 / half
      for (let at = 0; at < half; at += 1) {
        const cos = cosines[at * stride] ?? 0
        const sin = sines[at * stride] ?? 0
        for (let low = at; low < size; low += 2 * half) {
          const high = low + half
          const [highReal, highImaginary] = [real[high] ?? 0, imaginary[high] ?? 0]
          const turnedReal = highReal * cos - highImaginary * sin
          const turnedImaginary = highReal * sin + highImaginary * cos
          const [lowReal, lowImaginary] = [real[low] ?? 0, imaginary[low] ?? 0]
          real[low] = lowReal + turnedReal
          imaginary[low] = lowImaginary + turnedImaginary
          real[high] = lowReal - turnedReal
          imaginary[high] = lowImaginary - turnedImaginary
        }
      }
    }
  }
}

/** Returns the pairs of places that the algorithm exchanges first: those whose numbers are each other's bits in reverse. */
function listSwaps(size: number): [from: number, to: number][] {
  const bits = Math.log2(size)
  const swaps: [number, number][] = []
  for (let at = 0; at < size; at += 1) {
    let reversed = 0
    for (let bit = 0; bit < bits; bit += 1) reversed |= ((at >> bit) & 1) << (bits - 1 - bit)
    if (reversed > at) swaps.push([at, reversed])
  }
  return swaps
}

function swap(values: Float64Array, a: number, b: number): void {
  const value = values[a] ?? 0
  values[a] = values[b] ?? 0
  values[b] = value
}
