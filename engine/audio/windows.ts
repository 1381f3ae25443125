import { open } from 'node:fs/promises'

import type { DecodedAudio } from './decoded-audio.ts'
import { frameMs, sampleRate } from './decoded-audio.ts'
import type { SpeechSpan } from './speech-detector.ts'

/** A stretch of the recording inside a window. All times in milliseconds. */
export interface WindowPiece {
  /** What is cut from the recording: the speech and its padding. */
  sourceStartMs: number
  sourceEndMs: number
  /** Where the piece begins in the window. */
  windowStartMs: number
  /** The speech alone, in the recording. */
  speechStartMs: number
  speechEndMs: number
}

/** What the model hears in one call: pieces of the recording with silence between them. */
export interface SpeechWindow {
  pieces: WindowPiece[]
  durationMs: number
}

export interface PackOptions {
  /** Frames of the channel (DecodedAudio.frames): a span too long for a window is split where they are quietest. */
  frames: Float32Array
  /** Longest window, padding and gaps included. */
  maxWindowMs: number
  /** For a model that can hear only one utterance a call. */
  oneSpanPerWindow: boolean
  /** Sound kept before and after each span, at most half the pause to its neighbour. Default 150 ms. */
  paddingMs?: number
  /** Silence put between two pieces of a window, so that words of two spans do not fuse. Default: the padding. */
  gapMs?: number
}

/** Packs spans in their order into as few windows as they need. The windows never overlap in the recording. */
export function packWindows(spans: SpeechSpan[], options: PackOptions): SpeechWindow[] {
  const { frames, maxWindowMs, oneSpanPerWindow, paddingMs = 150, gapMs = paddingMs } = options
  const parts = spans.flatMap((span) => splitSpan(span, frames, maxWindowMs - 2 * paddingMs))
  const windows: SpeechWindow[] = []
  for (const [index, part] of parts.entries()) {
    const padded = padPart(part, parts[index - 1], parts[index + 1], { paddingMs, endMs: frames.length * frameMs })
    const lengthMs = padded.sourceEndMs - padded.sourceStartMs
    const window = windows.at(-1)
    if (!window || oneSpanPerWindow || window.durationMs + gapMs + lengthMs > maxWindowMs) {
      windows.push({ pieces: [{ ...padded, windowStartMs: 0 }], durationMs: lengthMs })
    } else {
      window.pieces.push({ ...padded, windowStartMs: window.durationMs + gapMs })
      window.durationMs += gapMs + lengthMs
    }
  }
  return windows
}

function splitSpan(span: SpeechSpan, frames: Float32Array, maxMs: number): SpeechSpan[] {
  const parts: SpeechSpan[] = []
  let { startMs } = span
  while (span.endMs - startMs > maxMs) {
    const cutMs = quietestMs(frames, startMs + maxMs * 0.6, startMs + maxMs)
    parts.push({ startMs, endMs: cutMs })
    startMs = cutMs
  }
  return [...parts, { startMs, endMs: span.endMs }]
}

/** The middle of the quietest 100 ms between two times. */
function quietestMs(frames: Float32Array, fromMs: number, toMs: number): number {
  let best = Math.floor(toMs / frameMs)
  let bestEnergy = Number.POSITIVE_INFINITY
  for (let frame = Math.ceil(fromMs / frameMs); frame <= Math.floor(toMs / frameMs); frame += 1) {
    const energy = frames.subarray(Math.max(0, frame - 2), frame + 3).reduce((sum, level) => sum + level * level, 0)
    if (energy >= bestEnergy) continue
    best = frame
    bestEnergy = energy
  }
  return best * frameMs
}

function padPart(
  part: SpeechSpan,
  before: SpeechSpan | undefined,
  after: SpeechSpan | undefined,
  { paddingMs, endMs }: { paddingMs: number; endMs: number },
): Omit<WindowPiece, 'windowStartMs'> {
  const earliestMs = before ? (before.endMs + part.startMs) / 2 : 0
  const latestMs = after ? (part.endMs + after.startMs) / 2 : endMs
  return {
    sourceStartMs: Math.max(earliestMs, part.startMs - paddingMs),
    sourceEndMs: Math.min(latestMs, part.endMs + paddingMs),
    speechStartMs: part.startMs,
    speechEndMs: part.endMs,
  }
}

/**
 * The time in the recording of a time in the window, clamped into speech. Models give times to a tenth of a second and take
 * the end of one segment for the start of the next; so a start in the last 100 ms of a piece or behind it means the next piece,
 * and an end in the first 100 ms of a piece or before it means the one before.
 */
export function toSourceMs(window: SpeechWindow, windowMs: number, edge: 'start' | 'end' = 'start'): number {
  const pieces = window.pieces.map((piece) => ({
    ...piece,
    shiftMs: piece.sourceStartMs - piece.windowStartMs,
    slackMs: Math.min(100, (piece.speechEndMs - piece.speechStartMs) / 2),
  }))
  const chosen =
    edge === 'start'
      ? (pieces.find((piece) => windowMs + piece.shiftMs < piece.speechEndMs - piece.slackMs) ?? pieces.at(-1))
      : (pieces.findLast((piece) => windowMs + piece.shiftMs > piece.speechStartMs + piece.slackMs) ?? pieces[0])
  if (!chosen) return 0
  return Math.min(chosen.speechEndMs, Math.max(chosen.speechStartMs, windowMs + chosen.shiftMs))
}

/** The window's samples of one channel, -1 to 1 at 16 kHz, with zeros between the pieces. Never NaN or infinite. */
export async function readWindow(
  decoded: Pick<DecodedAudio, 'pcmPath' | 'channelCount'>,
  channel: number,
  window: SpeechWindow,
): Promise<Float32Array> {
  const samples = new Float32Array(toSamples(window.durationMs))
  const file = await open(decoded.pcmPath)
  try {
    for (const piece of window.pieces) {
      const first = toSamples(piece.sourceStartMs)
      const bytes = Buffer.alloc((toSamples(piece.sourceEndMs) - first) * decoded.channelCount * 2)
      // A read past the end of the file leaves zeros: the last frame may be shorter than 20 ms.
      await file.read(bytes, 0, bytes.length, first * decoded.channelCount * 2)
      copyChannel(
        bytes,
        { channel, channelCount: decoded.channelCount },
        samples.subarray(toSamples(piece.windowStartMs)),
      )
    }
  } finally {
    await file.close()
  }
  return samples
}

function copyChannel(bytes: Buffer, from: { channel: number; channelCount: number }, target: Float32Array): void {
  const blockBytes = from.channelCount * 2
  const count = Math.min(target.length, bytes.length / blockBytes)
  for (let at = 0; at < count; at += 1) target[at] = bytes.readInt16LE(at * blockBytes + from.channel * 2) / 32768
}

function toSamples(ms: number): number {
  return Math.round((ms * sampleRate) / 1000)
}
