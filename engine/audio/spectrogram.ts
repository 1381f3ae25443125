import { createComplexArray, createFourierTransform } from './fourier.ts'

/** Interleaved 16-bit samples. */
export interface PcmSamples {
  samples: Int16Array
  channelCount: number
  /** In Hz. */
  sampleRate: number
}

/** The level of each frequency at each time. */
export interface Spectrogram {
  /** The upper edge of the highest row. */
  maxHz: number
  /** One list per channel: columns in order of time, each with its rows from the lowest frequency up. */
  channels: Uint8Array[]
}

/** What a level of 0 stands for, in dB relative to a full-scale sine; 255 is 0 dB. */
export const lowestDb = -96

/** Long enough to separate the harmonics of a voice, short enough to separate its syllables. */
const frameSeconds = 0.032
const hopSeconds = 0.016

/**
 * Divides a sound into `columns` equal parts of its time and `rows` equal parts of the frequencies up to half its sample rate; each level
 * is the highest in its part. A frame is about 32 ms long, has a power-of-two number of samples and a Hann window. Throws if the number of
 * its frequencies is not divisible by `rows`.
 */
export function computeSpectrogram(
  sound: PcmSamples,
  { columns, rows }: { columns: number; rows: number },
): Spectrogram {
  const size = 2 ** Math.round(Math.log2(sound.sampleRate * frameSeconds))
  if ((size / 2) % rows !== 0) throw new Error(`${size / 2} frequencies cannot be divided into ${rows} rows`)
  const measure = createFrameMeasure(size, rows)
  const count = Math.floor(sound.samples.length / sound.channelCount)
  const channels = Array.from({ length: sound.channelCount }, (_, channel) => {
    const levels = new Uint8Array(columns * rows)
    for (let column = 0; column < columns; column += 1) {
      const cell = levels.subarray(column * rows, (column + 1) * rows)
      for (const centre of frameCentres(column, { columns, count, sampleRate: sound.sampleRate })) {
        measure(sound, { channel, start: Math.round(centre) - size / 2, count, cell })
      }
    }
    return levels
  })
  return { maxHz: sound.sampleRate / 2, channels }
}

/** Returns the samples at which the frames of a column are centered, evenly spread over it: at least one. */
function frameCentres(
  column: number,
  { columns, count, sampleRate }: { columns: number; count: number; sampleRate: number },
): number[] {
  const width = count / columns
  const frames = Math.max(1, Math.round(width / (hopSeconds * sampleRate)))
  return Array.from({ length: frames }, (_, frame) => (column + (frame + 0.5) / frames) * width)
}

interface FramePlace {
  channel: number
  /** The first sample of the frame, which may lie before the sound. */
  start: number
  /** Number of samples that the sound has in each channel. */
  count: number
  /** The highest level so far of each row. */
  cell: Uint8Array
}

function createFrameMeasure(size: number, rows: number) {
  const transform = createFourierTransform(size)
  const values = createComplexArray(size)
  const window = Float64Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / size))
  // A sine at full scale reaches half the sum of the window.
  const fullScale = 32_768 * window.reduce((sum, weight) => sum + weight, 0) * 0.5
  const binsPerRow = size / 2 / rows

  return ({ samples, channelCount }: PcmSamples, { channel, start, count, cell }: FramePlace): void => {
    for (let at = 0; at < size; at += 1) {
      const frame = start + at
      const sample = frame >= 0 && frame < count ? (samples[frame * channelCount + channel] ?? 0) : 0
      values.real[at] = sample * (window[at] ?? 0)
      values.imaginary[at] = 0
    }
    transform(values)
    for (let row = 0; row < rows; row += 1) {
      let power = 0
      for (let bin = row * binsPerRow; bin < (row + 1) * binsPerRow; bin += 1) {
        power = Math.max(power, (values.real[bin] ?? 0) ** 2 + (values.imaginary[bin] ?? 0) ** 2)
      }
      cell[row] = Math.max(cell[row] ?? 0, toLevel(Math.sqrt(power) / fullScale))
    }
  }
}

function toLevel(amplitude: number): number {
  const db = 20 * Math.log10(Math.max(amplitude, 1e-9))
  return Math.round(255 * Math.min(1, Math.max(0, 1 - db / lowestDb)))
}
