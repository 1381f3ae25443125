import type { DecodedAudio } from './decoded-audio.ts'

/**
 * Returns the waveform as `bars` heights per channel, 0 to 1 of full scale: each bar is the largest peak of its part of the recording.
 * Frames repeat in a recording with fewer frames than bars, so that there are always `bars` heights.
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
