import type { DecodedAudio } from './decoded-audio.ts'

/**
 * The waveform as `bars` heights a channel, 0 to 1 of full scale: each bar is the largest peak of its share of the recording.
 * A recording with fewer frames than bars repeats frames, so the answer always has `bars` heights.
 */
export function foldPeaks(decoded: Pick<DecodedAudio, 'peaks'>, bars: number): number[][] {
  return decoded.peaks.map((peaks) =>
    Array.from({ length: bars }, (_, bar) => {
      const start = Math.floor((bar * peaks.length) / bars)
      const end = Math.max(start + 1, Math.floor(((bar + 1) * peaks.length) / bars))
      return peaks.subarray(start, end).reduce((largest, peak) => Math.max(largest, peak), 0)
    }),
  )
}
