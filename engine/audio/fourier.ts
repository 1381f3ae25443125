const [cos1, cos2] = [Math.cos((2 * Math.PI) / 5), Math.cos((4 * Math.PI) / 5)]
const [sin1, sin2] = [Math.sin((2 * Math.PI) / 5), Math.sin((4 * Math.PI) / 5)]

/** Complex numbers as two arrays of equal length. */
export interface ComplexArray {
  real: Float64Array
  imaginary: Float64Array
}

export function createComplexArray(length: number): ComplexArray {
  return { real: new Float64Array(length), imaginary: new Float64Array(length) }
}

/**
 * Creates a function that replaces `size` values with their discrete Fourier transform. The algorithm is Stockham's, which needs no
 * reordering at the end. Throws for a size that has prime factors other than 2 and 5.
 */
export function createFourierTransform(size: number): (values: ComplexArray) => void {
  const radices = toRadices(size)
  const twiddles = createComplexArray(size)
  for (let at = 0; at < size; at += 1) {
    twiddles.real[at] = Math.cos((2 * Math.PI * at) / size)
    twiddles.imaginary[at] = -Math.sin((2 * Math.PI * at) / size)
  }
  const scratch = createComplexArray(size)
  return (values) => {
    let [from, to] = [values, scratch]
    let stride = 1
    for (const radix of radices) {
      runStage[radix](from, { to, stride, twiddles })
      ;[from, to] = [to, from]
      stride *= radix
    }
    if (from === values) return
    values.real.set(from.real)
    values.imaginary.set(from.imaginary)
  }
}

type Radix = 2 | 4 | 5

/** Returns the factors of a size, one for each stage. */
function toRadices(size: number): Radix[] {
  const radices: Radix[] = []
  let rest = size
  for (const radix of [4, 2, 5] as const) {
    for (; rest % radix === 0 && rest > 1; rest /= radix) radices.push(radix)
  }
  if (rest !== 1) throw new Error(`No Fourier transform of ${size} values`)
  return radices
}

interface StageOutput {
  to: ComplexArray
  /** How many transforms of the previous stage lie side by side. */
  stride: number
  twiddles: ComplexArray
}

/** A stage for each factor: transforms of values that are a half, a quarter or a fifth of the array apart, then the twiddle factors. */
const runStage: Record<Radix, (from: ComplexArray, output: StageOutput) => void> = {
  2: runRadix2,
  4: runRadix4,
  5: runRadix5,
}

function runRadix2({ real: xr, imaginary: xi }: ComplexArray, output: StageOutput): void {
  const half = xr.length / 2
  const { stride } = output
  for (let start = 0; start < half; start += stride) {
    for (let at = start; at < start + stride; at += 1) {
      const [firstR, firstI] = [valueAt(xr, at), valueAt(xi, at)]
      const [secondR, secondI] = [valueAt(xr, at + half), valueAt(xi, at + half)]
      const out = at + start
      store(output, out, 0, firstR + secondR, firstI + secondI)
      store(output, out + stride, start, firstR - secondR, firstI - secondI)
    }
  }
}

function runRadix4({ real: xr, imaginary: xi }: ComplexArray, output: StageOutput): void {
  const quarter = xr.length / 4
  const { stride } = output
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
      store(output, out, 0, sumR + oddSumR, sumI + oddSumI)
      store(output, out + stride, start, differenceR + oddDifferenceI, differenceI - oddDifferenceR)
      store(output, out + 2 * stride, 2 * start, sumR - oddSumR, sumI - oddSumI)
      store(output, out + 3 * stride, 3 * start, differenceR - oddDifferenceI, differenceI + oddDifferenceR)
    }
  }
}

function runRadix5({ real: xr, imaginary: xi }: ComplexArray, output: StageOutput): void {
  const fifth = xr.length / 5
  const { stride } = output
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
      store(output, out, 0, firstR + sum1R + sum2R, firstI + sum1I + sum2I)
      store(output, out + stride, start, even1R + odd1I, even1I - odd1R)
      store(output, out + 2 * stride, 2 * start, even2R + odd2I, even2I - odd2R)
      store(output, out + 3 * stride, 3 * start, even2R - odd2I, even2I + odd2R)
      store(output, out + 4 * stride, 4 * start, even1R - odd1I, even1I + odd1R)
    }
  }
}

/** Stores a value multiplied by the twiddle factor at index `twiddle`. */
function store({ to, twiddles }: StageOutput, at: number, twiddle: number, r: number, i: number): void {
  const cos = valueAt(twiddles.real, twiddle)
  const sin = valueAt(twiddles.imaginary, twiddle)
  to.real[at] = r * cos - i * sin
  to.imaginary[at] = r * sin + i * cos
}

/** Every index above is within the arrays, which the compiler cannot know. */
function valueAt(values: Float64Array, at: number): number {
  return values[at] ?? 0
}
