import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { compressionRatio } from '../backend/compression-ratio.ts'
import type { TranscribedSegment, TranscribedWindow, TranscribedWord } from '../backend/speech-backend.ts'
import { hasLoop } from '../repetition.ts'
import { removeNonSpeech } from './remove-non-speech.ts'
import type { RecognizerResult } from './recognizer-result.ts'
import { joinTokens, spreadWords } from './token-words.ts'

/** sherpa-onnx ignores audio after 29.5 s. */
const maxSeconds = 29.4
/** Silence that Whisper needs after the audio to end its text; sherpa-onnx adds two more seconds (tailPaddings). */
const silenceSeconds = 3
/** sherpa-onnx stops decoding after this many tokens per second of samples, and after half of Whisper's text context. */
const maxTokensPerSecond = 6
const maxTokens = 224
/** A gap up to this between the last segment and the end of the audio is a pause. */
const maxRestMs = 1500
const maxCompressionRatio = 2.4

/**
 * Appends silence to the audio: at least 3 s, up to `minSeconds` in total, at most 29.4 s. The silence is passed as samples because
 * sherpa-onnx allows six tokens per second of samples, and Arabic needs twice as many: of 60 clips of 4 s in Arabic 36 were truncated
 * without it.
 */
export function padWithSilence(samples: Float32Array, minSeconds = 0): Float32Array {
  const paddedSeconds = Math.min(maxSeconds, Math.max(samples.length / sampleRate + silenceSeconds, minSeconds))
  const audio = new Float32Array(Math.round(paddedSeconds * sampleRate))
  for (let at = 0; at < Math.min(samples.length, audio.length); at += 1) {
    const sample = samples[at] ?? 0
    audio[at] = Number.isFinite(sample) ? sample : 0
  }
  return audio
}

interface AudioLengths {
  /** Without padding. */
  audioMs: number
  /** With padding. */
  paddedMs: number
}

/**
 * Returns the segments of a window. sherpa-onnx decodes once: audio that Whisper skipped after its last segment, or had no tokens left
 * for, must be decoded in another call from there (`isComplete: false`). Undefined where the text is truncated at an unknown time: shorter
 * audio has enough tokens.
 */
export function readWhisperResult(
  result: RecognizerResult,
  { audioMs, paddedMs }: AudioLengths,
): TranscribedWindow | undefined {
  const segments = readSegments(result, audioMs)
  const text = segments.map((segment) => segment.text).join(' ')
  // A loop uses up all tokens; continuing after it would only start another one.
  const isLoop = compressionRatio(text) > maxCompressionRatio || hasLoop(segments)
  if (isTruncated(result, paddedMs) && !isLoop) {
    const closed = segments.slice(0, -1)
    if (closed.length > 0) return finish(closed, { isComplete: false })
    const [open] = segments
    const kept = open?.hasOwnTimes ? open.words.slice(0, -1) : []
    return open && kept.length > 0 ? finish([withWords(open, kept)], { isComplete: false }) : undefined
  }
  const endMs = segments.at(-1)?.endMs ?? audioMs
  return finish(segments, { isComplete: endMs >= audioMs - maxRestMs || isLoop })
}

interface ReadSegment {
  startMs: number
  endMs: number
  text: string
  words: TranscribedWord[]
  hasOwnTimes: boolean
}

function readSegments(result: RecognizerResult, audioMs: number): ReadSegment[] {
  const { segment_texts: texts, segment_timestamps: starts, segment_durations: durations } = result
  const words = joinTokens(result) ?? []
  const counts = texts.map((text) => countWords(text))
  const hasOwnTimes = words.length > 0 && counts.reduce((sum, count) => sum + count, 0) === words.length
  const clamp = (ms: number) => Math.min(audioMs, Math.max(0, ms))
  let next = 0
  return texts.map((text, index) => {
    const startMs = clamp((starts[index] ?? 0) * 1000)
    const endMs = Math.max(startMs, clamp(((starts[index] ?? 0) + (durations[index] ?? 0)) * 1000))
    const spread = spreadWords(text, { startMs, endMs })
    const timed = words.slice(next, next + (counts[index] ?? 0))
    next += timed.length
    const own = spread.map((word, at) => ({ ...word, ...timesOf(timed[at], clamp) }))
    return { startMs, endMs, text: text.trim(), words: hasOwnTimes ? own : spread, hasOwnTimes }
  })
}

/** Returns only times and confidence: the texts of tokens may be broken, that of the segment is not. */
function timesOf(word: TranscribedWord | undefined, clamp: (ms: number) => number) {
  return word && { startMs: clamp(word.startMs), endMs: clamp(word.endMs), confidence: word.confidence }
}

function countWords(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length
}

/** Whether the text ended because no tokens were left. Two tokens of each segment are its timestamps. */
function isTruncated({ tokens, segment_texts: texts }: RecognizerResult, paddedMs: number): boolean {
  const limit = Math.min(maxTokens, Math.floor((paddedMs / 1000) * maxTokensPerSecond))
  return tokens.length + 2 * texts.length >= limit
}

function withWords(segment: ReadSegment, words: TranscribedWord[]): ReadSegment {
  const endMs = words.at(-1)?.endMs ?? segment.endMs
  return { ...segment, words, endMs, text: words.map(({ text }) => text).join(' ') }
}

function finish(segments: ReadSegment[], { isComplete }: { isComplete: boolean }): TranscribedWindow {
  const transcribed = segments.map(({ startMs, endMs, words }): TranscribedSegment => {
    const spoken = removeNonSpeech(words)
    const text = spoken.map((word) => word.text).join(' ')
    const ratio = compressionRatio(text)
    return {
      startMs,
      endMs,
      text,
      words: spoken,
      meanLogProbability: null,
      noSpeechProbability: null,
      compressionRatio: ratio,
    }
  })
  // The caller continues at the end of the last segment, so that one is kept even without words.
  return {
    segments: transcribed.filter(({ words }, at) => words.length > 0 || (!isComplete && at === transcribed.length - 1)),
    isComplete,
  }
}
