import { open } from 'node:fs/promises'

import type { DecodedAudio } from './decoded-audio.ts'
import { frameMs, sampleRate } from './decoded-audio.ts'
import type { SpeechSpan } from './speech-span.ts'

/** A passage of the recording inside a window. All times in milliseconds. */
export interface WindowPiece {
  /** The passage cut from the recording: the speech and its padding. */
  sourceStartMs: number
  sourceEndMs: number
  /** Position of the piece in the window. */
  windowStartMs: number
  /** Only the speech, without padding, in the recording. */
  speechStartMs: number
  speechEndMs: number
  /** Whether no line may extend into this piece from the one before: a long pause or speech of the other speaker is between them. */
  beginsTurn: boolean
}

/** The input of one call to the model: pieces of the recording with silence between them. */
export interface SpeechWindow {
  pieces: WindowPiece[]
  durationMs: number
}

export interface PackOptions {
  /** RMS frames of the channel (DecodedAudio.frames): spans that are too long for a window are split where they are quietest. */
  frames: Float32Array
  /** Maximum length of a window, padding and gaps included. */
  maxWindowMs: number
  /** For models that transcribe only one utterance per call. */
  oneSpanPerWindow: boolean
  /** Speech of the other channel; absent for a single channel. */
  otherSpans?: SpeechSpan[]
  /** The passage that windows must stay within; the whole recording by default. */
  bounds?: SpeechSpan
  /** Audio kept before and after each span, at most half the pause to its neighbor. Default 300 ms: the detector's spans are tight. */
  paddingMs?: number
  /** Silence between two pieces of a window, so that the words of different spans do not merge. Default 150 ms. */
  gapMs?: number
  /** Longest pause inside a window, so that a word assigned to the wrong side of it is not far off. Default 30 s. */
  maxPauseMs?: number
  /** Longest pause inside a line. Default 800 ms. */
  maxLinePauseMs?: number
}

/** Packs spans in order into as few windows as possible. Windows never overlap in the recording. */
export function packWindows(spans: SpeechSpan[], options: PackOptions): SpeechWindow[] {
  const { frames, maxWindowMs, oneSpanPerWindow, paddingMs = 300, gapMs = 150, maxPauseMs = 30_000 } = options
  const { bounds = { startMs: 0, endMs: frames.length * frameMs } } = options
  const parts = spans.flatMap((span) => splitSpan(span, frames, maxWindowMs - 2 * paddingMs))
  const windows: SpeechWindow[] = []
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    const padded = padPart(part, before, parts[index + 1], { paddingMs, bounds })
    const lengthMs = padded.sourceEndMs - padded.sourceStartMs
    const window = windows.at(-1)
    const hasLongPause = before !== undefined && part.startMs - before.endMs > maxPauseMs
    if (!window || oneSpanPerWindow || hasLongPause || window.durationMs + gapMs + lengthMs > maxWindowMs) {
      windows.push({ pieces: [{ ...padded, windowStartMs: 0, beginsTurn: true }], durationMs: lengthMs })
    } else {
      const beginsTurn = before === undefined || isTurnBorder(before, part, options)
      window.pieces.push({ ...padded, windowStartMs: window.durationMs + gapMs, beginsTurn })
      window.durationMs += gapMs + lengthMs
    }
  }
  return windows
}

function isTurnBorder(
  before: SpeechSpan,
  after: SpeechSpan,
  { maxLinePauseMs = 800, otherSpans = [] }: PackOptions,
): boolean {
  if (after.startMs - before.endMs > maxLinePauseMs) return true
  return otherSpans.some(({ startMs, endMs }) => startMs >= before.endMs && endMs <= after.startMs)
}

function splitSpan(span: SpeechSpan, frames: Float32Array, maxMs: number): SpeechSpan[] {
  const parts: SpeechSpan[] = []
  let { startMs } = span
  while (span.endMs - startMs > maxMs) {
    const cutMs = findQuietestTimeMs(frames, startMs + maxMs * 0.6, startMs + maxMs)
    parts.push({ startMs, endMs: cutMs })
    startMs = cutMs
  }
  return [...parts, { startMs, endMs: span.endMs }]
}

/** Returns the middle of the quietest 100 ms between two times. */
function findQuietestTimeMs(frames: Float32Array, fromMs: number, toMs: number): number {
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
  { paddingMs, bounds }: { paddingMs: number; bounds: SpeechSpan },
): Omit<WindowPiece, 'windowStartMs' | 'beginsTurn'> {
  const earliestMs = before ? (before.endMs + part.startMs) / 2 : bounds.startMs
  const latestMs = after ? (part.endMs + after.startMs) / 2 : bounds.endMs
  return {
    sourceStartMs: Math.max(earliestMs, part.startMs - paddingMs),
    sourceEndMs: Math.min(latestMs, part.endMs + paddingMs),
    speechStartMs: part.startMs,
    speechEndMs: part.endMs,
  }
}

/** Reads the window's samples of one channel, -1 to 1 at 16 kHz, with zeros between the pieces. Never NaN or infinite. */
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
