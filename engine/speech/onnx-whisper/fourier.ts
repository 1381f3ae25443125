/** Points of a Fourier transform: a window of 25 ms. */
export const fourierSize = 400

/** 400 = 4 · 4 · 5 · 5. The number of stages is even, so the result ends where the input was. */
const radices = [4, 4, 5, 5] as const
const cosines = Float64Array.from({ length: fourierSize }, (_, at) => Math.cos((2 * Math.PI * at) / fourierSize))
const sines = Float64Array.from({ length: fourierSize }, (_, at) => -Math.sin((2 * Math.PI * at) / fourierSize))
const [cos1, cos2] = [Math.cos((2 * Math.PI) / 5), Math.cos((4 * Math.PI) / 5)]
const [sin1, sin2] = [Math.sin((2 * Math.PI) / 5), Math.sin((4 * Math.PI) / 5)]

/** Complex numbers as two arrays of `fourierSize`. */
export interface ComplexArray {
  real: Float64Array
  imaginary: Float64Array
}

export function createComplexArray(): ComplexArray {
  return { real: new Float64Array(fourierSize), imaginary: new Float64Array(fourierSize) }
}

/**
 * Replaces the values with their discrete Fourier transform; `scratch` is overwritten. The algorithm is Stockham's, which needs no
 * reordering at the end.
 */
export function fourierTransform(values: ComplexArray, scratch: ComplexArray): void {
  let [from, to] = [values, scratch]
  let stride = 1
  for (const radix of radices) {
    if (radix === 4) runRadix4(from, to, stride)
    else runRadix5(from, to, stride)
    ;[from, to] = [to, from]
    stride *= radix
  }
}

/** One stage: transforms of four values that are a quarter of the array apart, then the twiddle factors. */
function runRadix4({ real: xr, imaginary: xi }: ComplexArray, to: ComplexArray, stride: number): void {
  const quarter = fourierSize / 4
  for (let start = 0; start < quarter; start += stride) {
    for (let at = start; at < start + stride; at += 1) {
      const sumR = valueAt(xr, at) + valueAt(xr, at + 2 * quarter)
      const sumI = valueAt(xi, at) + valueAt(xi, at + 2 * quarter)
      const differenceR = valueAt(xr, at) - valueAt(xr, at + 2 * quarter)
      const differenceI = valueAt(xi, at) - valueAt(xi, at + 2 * quarter)
      const oddSumR = valueAt(xr, at + quarter) + valueAt(xr, at + 3 * quarter)
      const oddSumI = valueAt(xi, at + quarter) + valueAt(xi, at + 3 * quarter)
      const oddDifferenceR = valueAt(xr, at + quarter) - valueAt(xr, at + 3 * quarter)
      const oddDifferenceI = valueAt(xi, at + quarter) - valueAt(xi, at + 3 * quarter)
      const out = at + 3 * start
      store(to, out, 0, sumR + oddSumR, sumI + oddSumI)
      store(to, out + stride, start, differenceR + oddDifferenceI, differenceI - oddDifferenceR)
      store(to, out + 2 * stride, 2 * start, sumR - oddSumR, sumI - oddSumI)
      store(to, out + 3 * stride, 3 * start, differenceR - oddDifferenceI, differenceI + oddDifferenceR)
    }
  }
}

function runRadix5({ real: xr, imaginary: xi }: ComplexArray, to: ComplexArray, stride: number): void {
  const fifth = fourierSize / 5
  for (let start = 0; start < fifth; start += stride) {
    for (let at = start; at < start + stride; at += 1) {
      const firstR = valueAt(xr, at)
      const firstI = valueAt(xi, at)
      const sum1R = valueAt(xr, at + fifth) + valueAt(xr, at + 4 * fifth)
      const sum1I = valueAt(xi, at + fifth) + valueAt(xi, at + 4 * fifth)
      const sum2R = valueAt(xr, at + 2 * fifth) + valueAt(xr, at + 3 * fifth)
      const sum2I = valueAt(xi, at + 2 * fifth) + valueAt(xi, at + 3 * fifth)
      const difference1R = valueAt(xr, at + fifth) - valueAt(xr, at + 4 * fifth)
      const difference1I = valueAt(xi, at + fifth) - valueAt(xi, at + 4 * fifth)
      const difference2R = valueAt(xr, at + 2 * fifth) - valueAt(xr, at + 3 * fifth)
      const difference2I = valueAt(xi, at + 2 * fifth) - valueAt(xi, at + 3 * fifth)
      const even1R = firstR + cos1 * sum1R + cos2 * sum2R
      const even1I = firstI + cos1 * sum1I + cos2 * sum2I
      const even2R = firstR + cos2 * sum1R + cos1 * sum2R
      const even2I = firstI + cos2 * sum1I + cos1 * sum2I
      const odd1R = sin1 * difference1R + sin2 * difference2R
      const odd1I = sin1 * difference1I + sin2 * difference2I
      const odd2R = sin2 * difference1R - sin1 * difference2R
      const odd2I = sin2 * difference1I - sin1 * difference2I
      const out = at + 4 * start
      store(to, out, 0, firstR + sum1R + sum2R, firstI + sum1I + sum2I)
      store(to, out + stride, start, even1R + odd1I, even1I - odd1R)
      store(to, out + 2 * stride, 2 * start, even2R + odd2I, even2I - odd2R)
      store(to, out + 3 * stride, 3 * start, even2R - odd2I, even2I + odd2R)
      store(to, out + 4 * stride, 4 * start, even1R - odd1I, even1I + odd1R)
    }
  }
}

/** Stores a value times the twiddle factor number `twiddle`. */
function store({ real, imaginary }: ComplexArray, at: number, twiddle: number, r: number, i: number): void {
  const cos = valueAt(cosines, twiddle)
  const sin = valueAt(sines, twiddle)
  real[at] = r * cos - i * sin
  imaginary[at] = r * sin + i * cos
}

/** Every index above is within the arrays; the compiler cannot know. */
function valueAt(values: Float64Array, at: number): number {
  return values[at] ?? 0
}
