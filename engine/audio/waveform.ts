import { frameMs, type DecodedAudio } from './decoded-audio.ts'

/**
 * Returns the waveform as `bars` heights per channel, 0 to 1 of full scale: each bar is the largest peak in its part of the recording.
 * If a recording has fewer frames than bars, frames repeat, so that there are always `bars` heights.
 */
export function downsamplePeaks(decoded: Pick<DecodedAudio, 'peaks'>, bars: number): number[][] {
  return decoded.peaks.map((peaks) =>
    Array.from({ length: bars }, (_, bar) => {
      const start = Math.floor((bar * peaks.length) / bars)
      const end = Math.max(start + 1, Math.floor(((bar + 1) * peaks.length) / bars))
      return peaks.subarray(start, end).reduce((largest, peak) => Math.max(largest, peak), 0)
    }),
  )
}

/** Two hours of 20 ms frames. Longer recordings get coarser bins, to limit the number of bytes. */
const maxFineBins = 360_000

/** Returns the waveform at the resolution of the frames: `binMs` per bin, and one byte per bin and channel (see `toHeight`). */
export function finePeaks(decoded: Pick<DecodedAudio, 'peaks'>): { binMs: number; channels: Uint8Array[] } {
  const frameCount = Math.max(...decoded.peaks.map(({ length }) => length))
  const framesPerBin = Math.max(1, Math.ceil(frameCount / maxFineBins))
  const channels = decoded.peaks.map((peaks) => {
    const heights = new Uint8Array(Math.ceil(peaks.length / framesPerBin))
    for (const [bin] of heights.entries()) {
      const frames = peaks.subarray(bin * framesPerBin, (bin + 1) * framesPerBin)
      heights[bin] = toHeight(frames.reduce((largest, peak) => Math.max(largest, peak), 0))
    }
    return heights
  })
  return { binMs: framesPerBin * frameMs, channels }
}

/** Returns 0 to 255, proportional to the square root of the amplitude, so that a quiet telephone voice keeps its shape in one byte. */
function toHeight(peak: number): number {
  return Math.min(255, Math.round(255 * Math.sqrt(peak)))
}
