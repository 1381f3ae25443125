import { frameMs } from '../decoded-audio.ts'
import { fromDb, percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'

// Silero VAD starts 20 to 70 ms late and ends 50 to 300 ms late.
const searchFrames = {
  beforeStart: 100 / frameMs,
  afterStart: 60 / frameMs,
  beforeEnd: 300 / frameMs,
  afterEnd: 60 / frameMs,
}
const pauseFrames = 400 / frameMs
// The weakest sounds of a word are this far below its loudest, and must be this far above the adjacent pause.
const belowVoice = fromDb(-38)
const abovePause = fromDb(6)

// After a long silence the network may miss a short first word: a sound as loud as the voice and shortly before it.
const missedWord = {
  searchFrames: 600 / frameMs,
  minFrames: 100 / frameMs,
  belowVoice: fromDb(-12),
  abovePause: fromDb(15),
}

/**
 * Moves each span's start and end by at most 300 ms to where the level rises from the preceding pause and falls into the following one.
 * A boundary without a visible pause stays where it is. A loud sound less than 600 ms before a span becomes part of it.
 *
 * @param frames RMS of 20 ms frames
 */
export function tightenSpans(spans: SpeechSpan[], frames: Float32Array): SpeechSpan[] {
  return spans.map(({ startMs, endMs }, index) => {
    const start = Math.floor(startMs / frameMs)
    const end = Math.min(frames.length, Math.ceil(endMs / frameMs))
    const pauseStart = Math.ceil((spans[index - 1]?.endMs ?? 0) / frameMs)
    const pauseEnd = Math.floor((spans[index + 1]?.startMs ?? frames.length * frameMs) / frameMs)
    const voice = percentile(frames.subarray(start, end), 0.9)
    const before = frames.subarray(Math.max(pauseStart, start - pauseFrames), start)
    const after = frames.subarray(end, Math.min(pauseEnd, end + pauseFrames))
    const missedStart = findMissedWord(frames, { start, earliest: pauseStart }, voice)
    return {
      startMs:
        missedStart ?? findStart(frames, { start, end, earliest: pauseStart }, minVoiceLevel(voice, before)) ?? startMs,
      endMs: findEnd(frames, { start, end, latest: pauseEnd }, minVoiceLevel(voice, after)) ?? endMs,
    }
  })
}

function minVoiceLevel(voice: number, pause: Float32Array): number {
  return Math.max(voice * belowVoice, percentile(pause, 0.3) * abovePause)
}

/** Returns the start of a sound before the span that is as loud as the voice and as long as a syllable, in milliseconds. */
function findMissedWord(
  frames: Float32Array,
  { start, earliest }: { start: number; earliest: number },
  voice: number,
): number | undefined {
  const from = Math.max(earliest, start - missedWord.searchFrames)
  const pause = percentile(frames.subarray(Math.max(earliest, start - 2 * missedWord.searchFrames), start), 0.2)
  const level = Math.max(voice * missedWord.belowVoice, pause * missedWord.abovePause)
  let loudFrames = 0
  for (let frame = from; frame < start; frame += 1) {
    loudFrames = isLoud(frames, frame, level) ? loudFrames + 1 : 0
    if (loudFrames >= missedWord.minFrames) return (frame - loudFrames + 1) * frameMs
  }
  return undefined
}

function findStart(
  frames: Float32Array,
  { start, end, earliest }: { start: number; end: number; earliest: number },
  level: number,
): number | undefined {
  const from = Math.max(earliest, start - searchFrames.beforeStart)
  const to = Math.min((start + end) / 2, start + searchFrames.afterStart)
  for (let frame = from; frame <= to; frame += 1) {
    if (isLoud(frames, frame, level) && isLoud(frames, frame + 1, level)) return frame * frameMs
  }
  return undefined
}

function findEnd(
  frames: Float32Array,
  { start, end, latest }: { start: number; end: number; latest: number },
  level: number,
): number | undefined {
  const from = Math.min(latest, end + searchFrames.afterEnd)
  const to = Math.max((start + end) / 2, end - searchFrames.beforeEnd)
  for (let frame = from - 1; frame >= to; frame -= 1) {
    if (isLoud(frames, frame, level) && isLoud(frames, frame - 1, level)) return (frame + 1) * frameMs
  }
  return undefined
}

function isLoud(frames: Float32Array, frame: number, level: number): boolean {
  return (frames[frame] ?? 0) >= level
}
