import { compressionRatio, maxCompressionRatio } from '../backend/compression-ratio.ts'
import type { TranscribedSegment, TranscribedWindow, TranscribedWord } from '../backend/speech-backend.ts'
import { hasLoop } from '../repetition.ts'
import type { DecodedText } from './decode-text.ts'

/** A part of a text between two timestamps. */
export interface TokenSegment {
  startMs: number
  endMs: number
  /** Indices into the tokens of the text. */
  indices: readonly number[]
}

interface ReadTextOptions {
  firstTimestamp: number
  /** Without padding. */
  audioMs: number
}

const positionMs = 20
/** A gap of up to this length between the last segment and the end of the audio is a pause. */
const maxRestMs = 1500

/** Splits a text into segments at its timestamps, limited to the audio. Text without a final timestamp lasts until the end. */
export function splitAtTimestamps(
  tokens: readonly number[],
  { firstTimestamp, audioMs }: ReadTextOptions,
): TokenSegment[] {
  const segments: TokenSegment[] = []
  let startMs = 0
  let indices: number[] = []
  const close = (endMs: number) => {
    if (indices.length > 0) segments.push({ startMs, endMs: Math.max(startMs, endMs), indices })
    indices = []
  }
  for (const [index, token] of tokens.entries()) {
    if (token < firstTimestamp) {
      indices.push(index)
      continue
    }
    const ms = Math.min(audioMs, (token - firstTimestamp) * positionMs)
    close(ms)
    startMs = ms
  }
  close(audioMs)
  return segments
}

/**
 * Builds the result of a window. It is incomplete if audio is left after the last segment that Whisper closed: Whisper skipped that audio,
 * or had no tokens left, in which case the last, open segment is dropped, or only its last word if there is no other segment.
 */
export function toTranscribedWindow(
  decoded: DecodedText,
  segments: readonly (TokenSegment & { words: TranscribedWord[] })[],
  audioMs: number,
): TranscribedWindow {
  const all = segments.map((segment) => toSegment(decoded, segment))
  // A loop uses up all tokens; continuing after it would only start another loop.
  const isLoop = compressionRatio(all.map(({ text }) => text).join(' ')) > maxCompressionRatio || hasLoop(all)
  if (!decoded.isFinished && !isLoop) {
    const closed = all.slice(0, -1)
    return { segments: closed.length > 0 ? closed : withoutLastWord(all), isComplete: false }
  }
  const endMs = all.at(-1)?.endMs ?? audioMs
  const isComplete = endMs >= audioMs - maxRestMs || isLoop
  // The caller continues at the end of the last segment, so that segment is kept even without words.
  return { segments: all.filter(({ text }, at) => text !== '' || (!isComplete && at === all.length - 1)), isComplete }
}

function toSegment(
  { tokens, logProbabilities, noSpeechProbability }: DecodedText,
  { startMs, endMs, indices, words }: TokenSegment & { words: TranscribedWord[] },
): TranscribedSegment {
  const text = words.map((word) => word.text).join(' ')
  const sum = indices.reduce((total, index) => total + (logProbabilities[index] ?? 0), 0)
  return {
    startMs,
    endMs,
    text,
    words,
    meanLogProbability: tokens.length === 0 ? 0 : sum / Math.max(1, indices.length),
    noSpeechProbability,
    compressionRatio: compressionRatio(text),
  }
}

/**
 * The last word of an open text may be incomplete; the caller continues at the end of the previous word. A text in a script without spaces
 * has only one word, which is kept.
 */
function withoutLastWord(segments: readonly TranscribedSegment[]): TranscribedSegment[] {
  return segments.map((segment) => {
    const words = segment.words.slice(0, -1)
    const last = words.at(-1)
    return last ? { ...segment, words, endMs: last.endMs, text: words.map(({ text }) => text).join(' ') } : segment
  })
}
