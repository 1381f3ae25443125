import { expectedBleed } from './bleed.ts'
import { frameMs } from './decoded-audio.ts'
import { fromDb, percentile } from './levels.ts'
import { estimateNoiseFloor } from './noise-floor.ts'
import { isSteadySound } from './steady-sound.ts'

/** A stretch of speech, tight around the voice, in milliseconds of the recording. Spans are in order and never overlap. */
export interface SpeechSpan {
  startMs: number
  endMs: number
}

export interface DetectorOptions {
  /** Frames of the other channel: what it bleeds into this one is not speech. Leave out for mono and for one voice saved as stereo. */
  other?: Float32Array
  /** Shorter pauses do not end a span. Default 240 ms: longer than the silence inside a word, shorter than between utterances. */
  minGapMs?: number
  /** Shorter sounds are clicks. Default 80 ms. */
  minSpeechMs?: number
}

// Speech begins where it is this much above the noise, and reaches as far as it stays above the second.
const beginAboveFloor = fromDb(7)
const reachAboveFloor = fromDb(3.5)
const reachBelowBegin = fromDb(-5)
// What counts as loud enough at all follows the recording's loudness, between these two.
const belowLoudest = fromDb(-30)
const quietestBegin = fromDb(-58)
const strictestBegin = fromDb(-45)
const fewestLoudFrames = 3

/**
 * Finds speech in the RMS of 20 ms frames (DecodedAudio.frames) by its energy above an adaptive noise floor. Steady noise of any level,
 * tones of 1.5 s and more, such as ringing, and faint bleed of the other channel are not speech; music and bursts of noise are taken for it.
 */
export function detectSpeech(frames: Float32Array, options: DetectorOptions = {}): SpeechSpan[] {
  const { other, minGapMs = 240, minSpeechMs = 80 } = options
  const thresholds = speechThresholds(frames, other)
  const runs = joinRuns(activeRuns(frames, thresholds), minGapMs / frameMs)
  return runs
    .filter((run) => run.loudFrames >= fewestLoudFrames && (run.end - run.start) * frameMs >= minSpeechMs)
    .filter(({ start, end }) => !isSteadySound(frames, start, end))
    .map((run) => ({ startMs: run.start * frameMs, endMs: run.end * frameMs }))
}

interface Thresholds {
  begin: Float32Array
  reach: Float32Array
}

function speechThresholds(frames: Float32Array, other: Float32Array | undefined): Thresholds {
  const floor = estimateNoiseFloor(frames)
  const bleed = other && expectedBleed({ frames, floor }, { frames: other, floor: estimateNoiseFloor(other) })
  const loudest = Math.max(percentile(frames, 0.99), other ? percentile(other, 0.99) : 0)
  const leastBegin = Math.min(strictestBegin, Math.max(quietestBegin, loudest * belowLoudest))
  const withBleed = (level: number, frame: number) => Math.hypot(level, bleed?.[frame] ?? 0)
  return {
    begin: floor.map((noise, frame) => withBleed(Math.max(leastBegin, noise * beginAboveFloor), frame)),
    reach: floor.map((noise, frame) =>
      withBleed(Math.max(leastBegin * reachBelowBegin, noise * reachAboveFloor), frame),
    ),
  }
}

interface Run {
  /** First frame. */
  start: number
  /** The frame after the last. */
  end: number
  loudFrames: number
}

/** Runs of frames above the second threshold that hold at least one frame above the first. */
function activeRuns(frames: Float32Array, { begin, reach }: Thresholds): Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (const [frame, level] of frames.entries()) {
    const near = Math.hypot(frames[frame - 1] ?? level, level, frames[frame + 1] ?? level) / Math.sqrt(3)
    if (near < (reach[frame] ?? 0)) {
      run = undefined
      continue
    }
    if (!run) {
      run = { start: frame, end: frame, loudFrames: 0 }
      runs.push(run)
    }
    run.end = frame + 1
    if (level >= (begin[frame] ?? 0)) run.loudFrames += 1
  }
  return runs
}

function joinRuns(runs: Run[], minGapFrames: number): Run[] {
  const joined: Run[] = []
  for (const run of runs) {
    const previous = joined.at(-1)
    if (previous && run.start - previous.end < minGapFrames) {
      previous.end = run.end
      previous.loudFrames += run.loudFrames
    } else {
      joined.push({ ...run })
    }
  }
  return joined
}
