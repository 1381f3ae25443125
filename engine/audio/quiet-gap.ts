import { frameMs } from './decoded-audio.ts'

/** Maximum distance of the pause from the given time. */
const searchMs = 500
/** 6 dB: frames up to this factor above the quietest one belong to the pause. */
const maxRise = 2

/**
 * Returns the pause at a time: the quietest passage within half a second of it, from the end of the preceding sound to the start of the
 * following one, in milliseconds.
 *
 * @param frames RMS of 20 ms frames
 */
export function findQuietestGap(frames: Float32Array, atMs: number): { startMs: number; endMs: number } {
  const first = Math.max(0, Math.round((atMs - searchMs) / frameMs))
  const last = Math.min(frames.length - 1, Math.round((atMs + searchMs) / frameMs))
  let quietest = first
  let lowest = Number.POSITIVE_INFINITY
  for (let frame = first; frame <= last; frame += 1) {
    const level = meanLevel(frames, frame)
    if (level >= lowest) continue
    quietest = frame
    lowest = level
  }
  let start = quietest
  let end = quietest
  while (start > first && (frames[start - 1] ?? 0) <= lowest * maxRise) start -= 1
  while (end < last && (frames[end + 1] ?? 0) <= lowest * maxRise) end += 1
  return { startMs: start * frameMs, endMs: (end + 1) * frameMs }
}

function meanLevel(frames: Float32Array, at: number): number {
  return ((frames[at - 1] ?? 0) + (frames[at] ?? 0) + (frames[at + 1] ?? 0)) / 3
}
