import { frameMs } from '../decoded-audio.ts'
import { fromDb, percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { expectedBleed } from './expected-bleed.ts'
import type { HeardChannel } from './expected-bleed.ts'
import type { JoinOptions } from './join-runs.ts'

// An own voice stands out this much from the noise.
const aboveFloor = fromDb(5)
// What is left of a span is an own voice where it is louder than bleed for so long and for so large a share of its length.
const minLoudMs = 80
const minLoudShare = 0.2

/** Drops or trims the spans of each of two channels that hold nothing but the voice of the other one, leaked into it. */
export function removeBleed(frames: Float32Array[], spans: SpeechSpan[][], options: JoinOptions): SpeechSpan[][] {
  const channels = frames.map((own, index) => ({
    frames: own,
    spans: spans[index] ?? [],
    floor: noiseFloor(own, spans.flat()),
  }))
  return channels.map((own, index) => {
    const other = channels[1 - index]
    return other ? keepOwnVoice(own, expectedBleed(own, other), options) : own.spans
  })
}

/** The level of the quieter tenth of the frames where nobody speaks; of all frames where somebody always does. */
function noiseFloor(frames: Float32Array, spans: SpeechSpan[]): number {
  const isSpeech = new Uint8Array(frames.length)
  for (const { startMs, endMs } of spans) isSpeech.fill(1, Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs))
  const quiet = frames.filter((_, frame) => isSpeech[frame] === 0)
  return percentile(quiet.length > 0 ? quiet : frames, 0.1)
}

function keepOwnVoice(own: HeardChannel, bleed: Float32Array, options: JoinOptions): SpeechSpan[] {
  // Bleed below the noise was not what the network heard.
  const isCovered = (frame: number) => (bleed[frame] ?? 0) > own.floor
  const isLoud = (frame: number) =>
    nearLevel(own.frames, frame) >= Math.hypot(bleed[frame] ?? 0, own.floor * aboveFloor)
  return own.spans.flatMap((span) => {
    const first = Math.floor(span.startMs / frameMs)
    const inside = Array.from({ length: Math.ceil(span.endMs / frameMs) - first }, (_, at) => first + at)
    if (!inside.some(isCovered)) return [span]
    const kept = inside.filter((frame) => !isCovered(frame) || isLoud(frame))
    return joinFrames(kept, isLoud, options.minSilenceMs / frameMs)
      .filter(isOwnVoice)
      .map(({ start, end }) => ({
        startMs: Math.max(span.startMs, start * frameMs),
        endMs: Math.min(span.endMs, end * frameMs),
      }))
      .filter(({ startMs, endMs }) => endMs - startMs >= options.minSpeechMs)
  })
}

interface Stretch {
  start: number
  /** The frame behind the last. */
  end: number
  loudFrames: number
}

/** Joins frame numbers in order to stretches over gaps shorter than `minGap`. */
function joinFrames(frames: number[], isLoud: (frame: number) => boolean, minGap: number): Stretch[] {
  const joined: Stretch[] = []
  for (const frame of frames) {
    const loudFrames = isLoud(frame) ? 1 : 0
    const previous = joined.at(-1)
    if (previous && frame - previous.end < minGap) {
      previous.end = frame + 1
      previous.loudFrames += loudFrames
    } else {
      joined.push({ start: frame, end: frame + 1, loudFrames })
    }
  }
  return joined
}

function isOwnVoice({ start, end, loudFrames }: Stretch): boolean {
  return loudFrames * frameMs >= minLoudMs && loudFrames >= (end - start) * minLoudShare
}

/** The RMS over a frame and its two neighbours: one frame alone may be a click. */
function nearLevel(frames: Float32Array, frame: number): number {
  const level = frames[frame] ?? 0
  return Math.hypot(frames[frame - 1] ?? level, level, frames[frame + 1] ?? level) / Math.sqrt(3)
}
