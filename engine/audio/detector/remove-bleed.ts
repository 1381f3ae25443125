import { frameMs } from '../decoded-audio.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import { fromDb, percentile, slidingMaximum } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { measureBleed } from './bleed/measure-bleed.ts'
import type { BleedFrames } from './bleed/measure-bleed.ts'
import type { JoinOptions } from './join-runs.ts'

// The channel's own voice is this far above its noise floor.
const minAboveFloor = fromDb(5) ** 2
// Energies. What is left of a frame without its bleed counts as bleed if it is at least this far below the bleed: no filter fits exactly.
const maxRest = fromDb(-6) ** 2
// A sound of any frequency is the channel's own voice if it is this far above the loudest possible bleed.
const minAboveBleed = fromDb(8) ** 2
// Between syllables of bleed only sounds above the noise floor are the channel's own voice.
const nearFrames = 200 / frameMs
// What remains of a span counts as the channel's own voice if it is louder than bleed for this long and for this share of its length.
const minLoudMs = 80
const minLoudShare = 0.2

/** Speech of each channel. */
export interface DetectedSpeech {
  /** What each channel's own speaker says. */
  spans: SpeechSpan[][]
  /** What was removed because it is the voice of the other channel. */
  bleed: SpeechSpan[][]
}

/**
 * Drops or trims the spans of two channels that contain only bleed, which is sound that correlates with the voice of the other channel.
 * Speech that is merely simultaneous is kept, at any level.
 */
export async function removeBleed(
  decoded: Pick<DecodedAudio, 'pcmPath' | 'frames'>,
  spans: SpeechSpan[][],
  options: JoinOptions & { signal?: AbortSignal | undefined },
): Promise<DetectedSpeech> {
  const measured = await measureBleed(decoded, { spans, signal: options.signal })
  const kept = measured.map((energies, channel) => {
    const frames = decoded.frames[channel] ?? new Float32Array()
    const classes = classifyFrames(energies, frames, measureNoiseFloor(frames, spans.flat()))
    return keepOwnVoice(spans[channel] ?? [], classes, options)
  })
  return { spans: kept, bleed: spans.map((own, channel) => subtract(own, kept[channel] ?? [], options.minSpeechMs)) }
}

interface FrameClasses {
  /** Whether bleed is heard in a frame or near it. */
  isNearBleed: (frame: number) => boolean
  /** Whether a frame holds the channel's own voice. */
  isLoud: (frame: number) => boolean
}

/** Returns the level of the quietest tenth of the frames without speech, or of all frames if every frame holds speech. */
function measureNoiseFloor(frames: Float32Array, spans: SpeechSpan[]): number {
  const isSpeech = new Uint8Array(frames.length)
  for (const { startMs, endMs } of spans) isSpeech.fill(1, Math.floor(startMs / frameMs), Math.ceil(endMs / frameMs))
  const quiet = frames.filter((_, frame) => isSpeech[frame] === 0)
  return percentile(quiet.length > 0 ? quiet : frames, 0.1)
}

/** Classifies frames by their energies over three frames: a single frame may be a click. `noiseLevel` is that of the whole band. */
function classifyFrames(
  { total, bleed, rest, expected }: BleedFrames,
  frames: Float32Array,
  noiseLevel: number,
): FrameClasses {
  const isBleed = new Float32Array(total.length)
  const isOwn = new Uint8Array(total.length)
  const squares = frames.map((level) => level * level)
  const wideFloor = 3 * noiseLevel * noiseLevel
  const noiseFloor =
    3 *
    percentile(
      total.filter((energy) => energy > 0),
      0.1,
    )
  for (let frame = 0; frame < total.length; frame += 1) {
    const [bleedEnergy, restEnergy] = [sumAround(bleed, frame), sumAround(rest, frame)]
    const isRestOwn = restEnergy >= bleedEnergy * maxRest + noiseFloor * minAboveFloor
    // The hiss of an s is above the low band.
    const isLouder = sumAround(squares, frame) >= sumAround(expected, frame) * minAboveBleed + wideFloor * minAboveFloor
    const isOwnVoice = isRestOwn || isLouder
    // Bleed below the noise floor cannot have triggered the detector.
    isBleed[frame] = !isOwnVoice && bleedEnergy > noiseFloor && bleedEnergy > restEnergy ? 1 : 0
    isOwn[frame] = isOwnVoice || total[frame] === 0 ? 1 : 0
  }
  const near = slidingMaximum(isBleed, nearFrames, nearFrames)
  return { isNearBleed: (frame) => near[frame] === 1, isLoud: (frame) => isOwn[frame] === 1 }
}

function sumAround(values: Float32Array, frame: number): number {
  return (values[frame - 1] ?? 0) + (values[frame] ?? 0) + (values[frame + 1] ?? 0)
}

function keepOwnVoice(
  spans: SpeechSpan[],
  { isNearBleed, isLoud }: FrameClasses,
  { minSilenceMs, minSpeechMs }: JoinOptions,
): SpeechSpan[] {
  return spans.flatMap((span) => {
    const first = Math.floor(span.startMs / frameMs)
    const inside = Array.from({ length: Math.ceil(span.endMs / frameMs) - first }, (_, at) => first + at)
    if (!inside.some(isNearBleed)) return [span]
    const kept = inside.filter((frame) => !isNearBleed(frame) || isLoud(frame))
    return joinFrames(kept, isLoud, minSilenceMs / frameMs)
      .filter(isOwnVoice)
      .map(({ start, end }) => ({
        startMs: Math.max(span.startMs, start * frameMs),
        endMs: Math.min(span.endMs, end * frameMs),
      }))
      .filter(({ startMs, endMs }) => endMs - startMs >= minSpeechMs)
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

/** Returns the parts of `spans` that are not in `kept`, without parts shorter than `minMs`. */
function subtract(spans: SpeechSpan[], kept: SpeechSpan[], minMs: number): SpeechSpan[] {
  return spans
    .flatMap(({ startMs, endMs }) => {
      const inside = kept.filter((part) => part.startMs < endMs && part.endMs > startMs)
      const edges = [startMs, ...inside.flatMap((part) => [part.startMs, part.endMs]), endMs]
      return Array.from({ length: edges.length / 2 }, (_, gap) => ({
        startMs: edges[2 * gap] ?? startMs,
        endMs: edges[2 * gap + 1] ?? endMs,
      }))
    })
    .filter((part) => part.endMs - part.startMs >= minMs)
}
