import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { compressionRatio } from './backend/compression-ratio.ts'
import type { Decoding, HeardSegment, SpeechBackend } from './backend/speech-backend.ts'
import { decodingAgain } from './decode-settings.ts'
import { hasLoop } from './repetition.ts'

export interface WindowSound {
  samples: Float32Array
  window: SpeechWindow
}

export interface DecodeWindowOptions {
  language: string
  decoding: Decoding
  /** Names that are likely to be heard; none by default. */
  prompt?: string
  signal?: AbortSignal
}

export interface DecodedWindow {
  /** In order, times of the window. */
  segments: HeardSegment[]
  /** Loops that no setting ended: they are left out of `segments`. */
  loops: HeardSegment[]
}

/** OpenAI's Whisper takes text that compresses better for a loop; of 149 clips of people one went over it. */
const maxCompressionRatio = 2.4
/** What is left of a window is asked for again only if at least so much speech is in it. */
const minRestMs = 300
const maxRests = 4

/**
 * Decodes one window. Where the decoder ran in circles it is decoded again with other settings, without the prompt first where there is
 * one; a loop that remains is left out of the text and told, so that nobody reads invented words.
 */
export async function decodeWindow(
  backend: SpeechBackend,
  sound: WindowSound,
  options: DecodeWindowOptions,
): Promise<DecodedWindow> {
  const attempts = [options.decoding, ...decodingAgain(options.decoding, backend.capabilities)].map((decoding) => ({
    decoding,
    prompt: '',
  }))
  if (options.prompt && backend.capabilities.hasPrompt)
    attempts.unshift({ decoding: options.decoding, prompt: options.prompt })
  let best: HeardSegment[] | undefined
  for (const attempt of attempts) {
    const segments = await decodeWhole(backend, sound, { ...options, ...attempt })
    // Some models hear nothing at all behind a prompt.
    if (attempt.prompt && segments.length === 0) continue
    if (!isLoop(segments)) return { segments, loops: [] }
    if (!best || textRatio(segments) < textRatio(best)) best = segments
  }
  return splitLoops(best ?? [])
}

/** Decodes from where the engine stopped until all speech of the window was heard. */
async function decodeWhole(
  backend: SpeechBackend,
  { samples, window }: WindowSound,
  { language, decoding, prompt, signal }: DecodeWindowOptions,
): Promise<HeardSegment[]> {
  const segments: HeardSegment[] = []
  let fromMs = 0
  for (let call = 0; call <= maxRests; call += 1) {
    const rest = samples.subarray(Math.round((fromMs * sampleRate) / 1000))
    const heard = await backend.transcribe(rest, { language, decoding, prompt, signal })
    segments.push(...heard.segments.map((segment) => shift(segment, fromMs)))
    const nextMs = segments.at(-1)?.endMs ?? 0
    if (heard.isComplete || nextMs <= fromMs || speechAfter(window, nextMs) < minRestMs) break
    fromMs = nextMs
  }
  return segments
}

function shift(segment: HeardSegment, byMs: number): HeardSegment {
  if (byMs === 0) return segment
  const move = <Timed extends { startMs: number; endMs: number }>(timed: Timed): Timed => ({
    ...timed,
    startMs: timed.startMs + byMs,
    endMs: timed.endMs + byMs,
  })
  return { ...move(segment), words: segment.words.map(move) }
}

/** How much speech of a window lies behind a time of the window, in milliseconds. */
function speechAfter({ pieces }: SpeechWindow, windowMs: number): number {
  return pieces.reduce((sum, piece) => {
    const fromMs = Math.max(piece.speechStartMs, windowMs - piece.windowStartMs + piece.sourceStartMs)
    return sum + Math.max(0, piece.speechEndMs - fromMs)
  }, 0)
}

function isLoop(segments: HeardSegment[]): boolean {
  return textRatio(segments) > maxCompressionRatio || segments.some(isLoopSegment) || hasLoop(segments)
}

function isLoopSegment({ text, compressionRatio }: HeardSegment): boolean {
  return compressionRatio > maxCompressionRatio || hasLoop([{ text }])
}

function textRatio(segments: HeardSegment[]): number {
  return compressionRatio(segments.map(({ text }) => text).join(' '))
}

/** The segments that are loops by themselves; where only all of them together are one, those that repeat what stands before them. */
function splitLoops(segments: HeardSegment[]): DecodedWindow {
  const own = segments.filter(isLoopSegment)
  const loops = own.length > 0 ? own : segments.filter(({ text }, index) => text === segments[index - 1]?.text)
  return { segments: segments.filter((segment) => !loops.includes(segment)), loops }
}
