import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { createComplexArray, createFourierTransform, type ComplexArray } from '#engine/audio/fourier.ts'

/** Number of points in a Fourier transform: a 25 ms window. */
const fourierSize = 400

/** A triangular filter: the weights of the power spectrum's bins starting at `firstBin`; all other weights are 0. */
interface MelBand {
  firstBin: number
  weights: Float64Array
}

/** Slaney's mel scale: linear up to 1000 Hz (15 mel), then 27 mel for a factor of 6.4. */
const linearHz = 1000
const linearMel = 15
const melPerLog = 27 / Math.log(6.4)

/** Samples per 10 ms frame. */
const hopSize = sampleRate / 100
/** The window of a frame is centered on its first sample. */
const halfWindow = fourierSize / 2
const transform = createFourierTransform(fourierSize)
const minPower = 1e-10
/** Values are at most this many powers of ten below the loudest value. */
const range = 8
const hann = Float64Array.from(
  { length: fourierSize },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / fourierSize),
)

/**
 * Returns the log-mel spectrogram of audio at 16 kHz, as Whisper takes it: `bands` rows (80, or 128 for large-v3) of `frames` values, one
 * per 10 ms, row after row. Audio is cut or padded with silence to the length of `frames` and mirrored at both ends; NaN and infinite
 * samples count as 0. Source: `log_mel_spectrogram` in OpenAI's whisper/audio.py.
 */
export function computeLogMel(
  samples: Float32Array,
  { bands, frames }: { bands: number; frames: number },
): Float32Array {
  const audioLength = Math.min(samples.length, frames * hopSize)
  // The other frames contain only silence.
  const audioFrames = audioLength === 0 ? 0 : Math.min(frames, Math.ceil((audioLength + halfWindow) / hopSize))
  const padded = padAudio(samples.subarray(0, audioLength), { length: frames * hopSize, audioFrames })
  const logMel = new Float32Array(bands * frames).fill(Math.log10(minPower))
  const filters = createMelBands(bands)
  const values = createComplexArray(fourierSize)
  const powers = new Float64Array(halfWindow + 1)
  // Two frames per transform: one as the real part, one as the imaginary part.
  for (let frame = 0; frame < audioFrames; frame += 2) {
    applyWindow(padded, frame * hopSize, values.real)
    applyWindow(padded, (frame + 1) * hopSize, values.imaginary)
    transform(values)
    computeRealPowers(values, powers)
    storeFrame(logMel, filters, powers, { frame, frames })
    if (frame + 1 === audioFrames) break
    computeImaginaryPowers(values, powers)
    storeFrame(logMel, filters, powers, { frame: frame + 1, frames })
  }
  scaleToRange(logMel)
  return logMel
}

/** Returns the samples of the first `audioFrames` frames and one more frame, mirrored at both ends of `length` samples. */
function padAudio(audio: Float32Array, { length, audioFrames }: { length: number; audioFrames: number }): Float32Array {
  const padded = new Float32Array(audioFrames * hopSize + fourierSize)
  for (let at = 0; at < audio.length; at += 1) {
    const sample = audio[at] ?? 0
    if (Number.isFinite(sample)) padded[halfWindow + at] = sample
  }
  const end = halfWindow + length - 1
  for (let distance = 1; distance <= halfWindow; distance += 1) {
    padded[halfWindow - distance] = padded[halfWindow + distance] ?? 0
    if (end + distance < padded.length) padded[end + distance] = padded[end - distance] ?? 0
  }
  return padded
}

function applyWindow(padded: Float32Array, start: number, windowed: Float64Array): void {
  for (let at = 0; at < fourierSize; at += 1) windowed[at] = (padded[start + at] ?? 0) * (hann[at] ?? 0)
}

/** Writes the power spectrum of the frame that was the real part: its transform is the conjugate symmetric part of the result. */
function computeRealPowers({ real, imaginary }: ComplexArray, powers: Float64Array): void {
  for (let at = 0; at <= halfWindow; at += 1) {
    const mirrored = at === 0 ? 0 : fourierSize - at
    const sumR = (real[at] ?? 0) + (real[mirrored] ?? 0)
    const differenceI = (imaginary[at] ?? 0) - (imaginary[mirrored] ?? 0)
    powers[at] = (sumR * sumR + differenceI * differenceI) / 4
  }
}

function computeImaginaryPowers({ real, imaginary }: ComplexArray, powers: Float64Array): void {
  for (let at = 0; at <= halfWindow; at += 1) {
    const mirrored = at === 0 ? 0 : fourierSize - at
    const differenceR = (real[at] ?? 0) - (real[mirrored] ?? 0)
    const sumI = (imaginary[at] ?? 0) + (imaginary[mirrored] ?? 0)
    powers[at] = (differenceR * differenceR + sumI * sumI) / 4
  }
}

function storeFrame(
  logMel: Float32Array,
  filters: readonly MelBand[],
  powers: Float64Array,
  { frame, frames }: { frame: number; frames: number },
): void {
  let out = frame
  for (const { firstBin, weights } of filters) {
    let power = 0
    for (let at = 0; at < weights.length; at += 1) power += (weights[at] ?? 0) * (powers[firstBin + at] ?? 0)
    logMel[out] = Math.log10(Math.max(minPower, power))
    out += frames
  }
}

/** Raises values that are far below the loudest, and scales to about -1 to 1. */
function scaleToRange(logMel: Float32Array): void {
  let loudest = -Infinity
  for (const value of logMel) if (value > loudest) loudest = value
  const floor = loudest - range
  for (let at = 0; at < logMel.length; at += 1) logMel[at] = (Math.max(floor, logMel[at] ?? floor) + 4) / 4
}

/** Returns the filters from 0 Hz to half the sample rate, all of the same area. Source: librosa.filters.mel, as copied by Whisper. */
function createMelBands(count: number): MelBand[] {
  const highestMel = linearMel + melPerLog * Math.log(sampleRate / 2 / linearHz)
  const edgeHz = (edge: number) => toHz((highestMel * edge) / (count + 1))
  return Array.from({ length: count }, (_, band) => createBand(edgeHz(band), edgeHz(band + 1), edgeHz(band + 2)))
}

function toHz(mel: number): number {
  return mel < linearMel ? (mel * linearHz) / linearMel : linearHz * Math.exp((mel - linearMel) / melPerLog)
}

function createBand(lowHz: number, centerHz: number, highHz: number): MelBand {
  const binHz = sampleRate / fourierSize
  const firstBin = Math.floor(lowHz / binHz) + 1
  const lastBin = Math.min(fourierSize / 2, Math.ceil(highHz / binHz) - 1)
  const weights = Float64Array.from({ length: Math.max(0, lastBin - firstBin + 1) }, (_, at) => {
    const hz = (firstBin + at) * binHz
    const height = Math.min((hz - lowHz) / (centerHz - lowHz), (highHz - hz) / (highHz - centerHz))
    return (Math.max(0, height) * 2) / (highHz - lowHz)
  })
  return { firstBin, weights }
}
