import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SpeechWindow, WindowPiece } from '#engine/audio/windows.ts'
import { compressionRatio, maxCompressionRatio } from './backend/compression-ratio.ts'
import type { Decoding, SpeechBackend, TranscribedSegment } from './backend/speech-backend.ts'
import { fallbackDecodings } from './decode-settings.ts'
import { hasLoop } from './repetition.ts'

export interface WindowAudio {
  samples: Float32Array
  window: SpeechWindow
}

export interface RecognizeWindowOptions {
  language: string
  decoding: Decoding
  /** Names that are likely to occur; none by default. */
  prompt?: string
  /** See TranscribeWindowOptions; none by default. */
  keywords?: readonly string[]
  /** Recognizes only once, with the prompt: loops are left out. */
  isSingleAttempt?: boolean
  signal?: AbortSignal
}

export interface RecognizedWindow {
  /** In order, with times in the window. */
  segments: TranscribedSegment[]
  /** Repetition loops that no fallback avoided; `segments` does not contain them. */
  loops: TranscribedSegment[]
}

/** The rest of a window is recognized only if it contains at least this much speech. */
const minRestMs = 300
const maxRests = 4
/** The rest begins this long before its speech: a model expects the first word within a second. */
const leadMs = 300

/**
 * Recognizes one window. A repetition loop is recognized again with fallbacks, first without the prompt if there is one. A remaining loop
 * is returned separately, so that the transcript contains no hallucinated words.
 */
export async function recognizeWindow(
  backend: SpeechBackend,
  audio: WindowAudio,
  options: RecognizeWindowOptions,
): Promise<RecognizedWindow> {
  const withPrompt =
    options.prompt && backend.capabilities.hasPrompt ? [{ decoding: options.decoding, prompt: options.prompt }] : []
  const withoutPrompt = [options.decoding, ...fallbackDecodings(options.decoding, backend.capabilities)].map(
    (decoding) => ({ decoding, prompt: '' }),
  )
  const attempts = options.isSingleAttempt ? withPrompt : [...withPrompt, ...withoutPrompt]
  let best: TranscribedSegment[] | undefined
  for (const attempt of attempts) {
    const segments = await recognizeToEnd(backend, audio, { ...options, ...attempt })
    // Some models return no text at all with a prompt.
    if (attempt.prompt && segments.length === 0) continue
    if (!isLoop(segments)) return { segments, loops: [] }
    if (!best || textRatio(segments) < textRatio(best)) best = segments
  }
  return splitLoops(best ?? [])
}

/** Recognizes a window, continuing from where the engine stopped until all speech of the window is transcribed. */
async function recognizeToEnd(
  backend: SpeechBackend,
  { samples, window }: WindowAudio,
  { language, decoding, prompt, keywords, signal }: RecognizeWindowOptions,
): Promise<TranscribedSegment[]> {
  const segments: TranscribedSegment[] = []
  let fromMs = 0
  for (let call = 0; call <= maxRests; call += 1) {
    const rest = samples.subarray(Math.round((fromMs * sampleRate) / 1000))
    const transcribed = await backend.transcribe(rest, { language, decoding, prompt, keywords, signal })
    segments.push(...transcribed.segments.map((segment) => shift(segment, fromMs)))
    const nextMs = segments.at(-1)?.endMs ?? 0
    if (transcribed.isComplete || nextMs <= fromMs || speechAfter(window, nextMs) < minRestMs) break
    fromMs = Math.max(nextMs, nextSpeechMs(window, nextMs) - leadMs)
  }
  return segments
}

function shift(segment: TranscribedSegment, byMs: number): TranscribedSegment {
  if (byMs === 0) return segment
  const move = <Timed extends { startMs: number; endMs: number }>(timed: Timed): Timed => ({
    ...timed,
    startMs: timed.startMs + byMs,
    endMs: timed.endMs + byMs,
  })
  return { ...move(segment), words: segment.words.map(move) }
}

/** Returns when speech continues at or after a time in the window, in milliseconds of the window. */
function nextSpeechMs({ pieces }: SpeechWindow, windowMs: number): number {
  const toWindowMs = (piece: WindowPiece, ms: number) => ms - piece.sourceStartMs + piece.windowStartMs
  const piece = pieces.find((each) => toWindowMs(each, each.speechEndMs) > windowMs)
  return piece ? Math.max(windowMs, toWindowMs(piece, piece.speechStartMs)) : windowMs
}

/** Returns how much of a window's speech follows a time in the window, in milliseconds. */
function speechAfter({ pieces }: SpeechWindow, windowMs: number): number {
  return pieces.reduce((sum, piece) => {
    const fromMs = Math.max(piece.speechStartMs, windowMs - piece.windowStartMs + piece.sourceStartMs)
    return sum + Math.max(0, piece.speechEndMs - fromMs)
  }, 0)
}

function isLoop(segments: TranscribedSegment[]): boolean {
  return textRatio(segments) > maxCompressionRatio || segments.some(isLoopSegment) || hasLoop(segments)
}

function isLoopSegment({ text, compressionRatio }: TranscribedSegment): boolean {
  return compressionRatio > maxCompressionRatio || hasLoop([{ text }])
}

function textRatio(segments: TranscribedSegment[]): number {
  return compressionRatio(segments.map(({ text }) => text).join(' '))
}

/** Separates the segments that are loops by themselves or, if they only form a loop together, those that repeat the previous one. */
function splitLoops(segments: TranscribedSegment[]): RecognizedWindow {
  const own = segments.filter(isLoopSegment)
  const loops = own.length > 0 ? own : segments.filter(({ text }, index) => text === segments[index - 1]?.text)
  return { segments: segments.filter((segment) => !loops.includes(segment)), loops }
}
