import { frameMs } from './decoded-audio.ts'
import { fromDb, percentile } from './levels.ts'
import type { SpeechSpan } from './speech-span.ts'

const belowVoice = fromDb(-22)

/**
 * Returns the passages inside a span of speech that are at least `minPauseMs` long and stay 22 dB below its voice. The detector also
 * bridges pauses longer than its `minSilenceMs`, because it ends speech late.
 *
 * @param frames RMS of 20 ms frames of the channel
 */
export function findPauses(frames: Float32Array, { startMs, endMs }: SpeechSpan, minPauseMs: number): SpeechSpan[] {
  const first = Math.ceil(startMs / frameMs)
  const last = Math.min(frames.length, Math.floor(endMs / frameMs))
  const level = percentile(frames.subarray(first, last), 0.9) * belowVoice
  const pauses: SpeechSpan[] = []
  let pauseStart = first
  for (let frame = first; frame < last; frame += 1) {
    if ((frames[frame] ?? 0) < level) continue
    if ((frame - pauseStart) * frameMs >= minPauseMs && pauseStart > first)
      pauses.push({ startMs: pauseStart * frameMs, endMs: frame * frameMs })
    pauseStart = frame + 1
  }
  return pauses
}
