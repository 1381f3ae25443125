import { frameMs } from '../decoded-audio.ts'
import { fromDb, percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { estimateBleed } from './estimate-bleed.ts'
import type { ChannelLevels } from './estimate-bleed.ts'
import type { JoinOptions } from './join-runs.ts'

// The channel's own voice is this far above its noise floor.
const minAboveFloor = fromDb(5)
// The rest of a span counts as the channel's own voice if it is louder than bleed for this long and for this share of its length.
const minLoudMs = 80
const minLoudShare = 0.2

/** Drops or trims the spans of two channels that contain only bleed, the voice of the other channel. */
export function removeBleed(frames: Float32Array[], spans: SpeechSpan[][], options: JoinOptions): SpeechSpan[][] {
  const channels = frames.map((own, index) => ({
    frames: own,
    spans: spans[index] ?? [],
    noiseFloor: measureNoiseFloor(own, spans.flat()),
  }))
  return channels.map((own, index) => {
    const other = channels[1 - index]
    return other ? keepOwnVoice(own, estimateBleed(own, other), options) : own.spans
  })
}

/** Returns the level of the quietest tenth of the frames without speech, or of all frames where there is always speech. */
function measureNoiseFloor(frames: Float32Array, spans: SpeechSpan[]): number {
  const isSpeech = new Uint8Array(frames.length)
  for (const { startMs, endMs } of spans) isSpeech.fill(1, Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs))
  const quiet = frames.filter((_, frame) => isSpeech[frame] === 0)
  return percentile(quiet.length > 0 ? quiet : frames, 0.1)
}

function keepOwnVoice(own: ChannelLevels, bleed: Float32Array, options: JoinOptions): SpeechSpan[] {
  // Bleed below the noise floor cannot have triggered the detector.
  const hasBleed = (frame: number) => (bleed[frame] ?? 0) > own.noiseFloor
  const isLoud = (frame: number) =>
    smoothedLevel(own.frames, frame) >= Math.hypot(bleed[frame] ?? 0, own.noiseFloor * minAboveFloor)
  return own.spans.flatMap((span) => {
    const first = Math.floor(span.startMs / frameMs)
    const inside = Array.from({ length: Math.ceil(span.endMs / frameMs) - first }, (_, at) => first + at)
    if (!inside.some(hasBleed)) return [span]
    const kept = inside.filter((frame) => !hasBleed(frame) || isLoud(frame))
    return joinFrames(kept, isLoud, options.minSilenceMs / frameMs)
      .filter(isOwnVoice)
      .map(({ start, end }) => ({
        startMs: Math.max(span.startMs, start * frameMs),
        endMs: Math.min(span.endMs, end * frameMs),
      }))
      .filter(({ startMs, endMs }) => endMs - startMs >= options.minSpeechMs)
  })
}

interface FrameRange {
  start: number
  /** Exclusive. */
  end: number
  loudFrames: number
}

/** Joins ordered frame numbers into ranges across gaps shorter than `minGap`. */
function joinFrames(frames: number[], isLoud: (frame: number) => boolean, minGap: number): FrameRange[] {
  const joined: FrameRange[] = []
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

function isOwnVoice({ start, end, loudFrames }: FrameRange): boolean {
  return loudFrames * frameMs >= minLoudMs && loudFrames >= (end - start) * minLoudShare
}

/** Returns the RMS over a frame and its two neighbours: a single frame may be a click. */
function smoothedLevel(frames: Float32Array, frame: number): number {
  const level = frames[frame] ?? 0
  return Math.hypot(frames[frame - 1] ?? level, level, frames[frame + 1] ?? level) / Math.sqrt(3)
}
