import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { compressionRatio } from '../backend/compression-ratio.ts'
import type { HeardSegment, HeardWindow, HeardWord } from '../backend/speech-backend.ts'
import { hasLoop } from '../repetition.ts'
import { removeSounds } from './remove-sounds.ts'
import type { RecognizerResult } from './recognizer-result.ts'
import { joinTokens, spreadWords } from './token-words.ts'

/** sherpa-onnx leaves out what lies behind 29.5 s. */
const maxSeconds = 29.4
/** Silence that Whisper needs behind the sound to end its text; sherpa-onnx adds two more seconds (tailPaddings). */
const silenceSeconds = 3
/** sherpa-onnx ends a text after so many tokens a second of samples, and after half of Whisper's positions for text. */
const tokensPerSecond = 6
const maxTokens = 224
/** What lies between the end of the last segment and that of the sound is no more than a pause. */
const maxRestMs = 1500
const maxCompressionRatio = 2.4

/**
 * The sound with silence behind it: at least 3 s of it and `minSeconds` in all, at most 29.4 s. The silence is given as samples because
 * sherpa-onnx allows six tokens a second of them, and Arabic takes twice as many: of 60 clips of 4 s in Arabic 36 were cut short
 * without it.
 */
export function padSound(samples: Float32Array, minSeconds = 0): Float32Array {
  const padded = Math.min(maxSeconds, Math.max(samples.length / sampleRate + silenceSeconds, minSeconds))
  const sound = new Float32Array(Math.round(padded * sampleRate))
  for (let at = 0; at < Math.min(samples.length, sound.length); at += 1) {
    const sample = samples[at] ?? 0
    sound[at] = Number.isFinite(sample) ? sample : 0
  }
  return sound
}

interface SoundLengths {
  /** The sound itself. */
  soundMs: number
  /** With the silence behind it. */
  paddedMs: number
}

/**
 * The segments of a window. sherpa-onnx decodes once: what Whisper left out behind its last segment, or had no tokens left for, is to be
 * asked for again from there (`isComplete: false`). Undefined where the text is cut short and nothing tells where: a shorter sound has
 * tokens enough.
 */
export function readWhisper(result: RecognizerResult, { soundMs, paddedMs }: SoundLengths): HeardWindow | undefined {
  const segments = readSegments(result, soundMs)
  const text = segments.map((segment) => segment.text).join(' ')
  // A loop uses up all tokens; to go on behind it would only begin the next.
  const isLoop = compressionRatio(text) > maxCompressionRatio || hasLoop(segments)
  if (isCutShort(result, paddedMs) && !isLoop) {
    const closed = segments.slice(0, -1)
    if (closed.length > 0) return finish(closed, { isComplete: false })
    const [open] = segments
    const kept = open?.hasOwnTimes ? open.words.slice(0, -1) : []
    return open && kept.length > 0 ? finish([withWords(open, kept)], { isComplete: false }) : undefined
  }
  const endMs = segments.at(-1)?.endMs ?? soundMs
  return finish(segments, { isComplete: endMs >= soundMs - maxRestMs || isLoop })
}

interface ReadSegment {
  startMs: number
  endMs: number
  text: string
  words: HeardWord[]
  hasOwnTimes: boolean
}

function readSegments(result: RecognizerResult, soundMs: number): ReadSegment[] {
  const { segment_texts: texts, segment_timestamps: starts, segment_durations: durations } = result
  const words = joinTokens(result) ?? []
  const counts = texts.map((text) => countWords(text))
  const hasOwnTimes = words.length > 0 && counts.reduce((sum, count) => sum + count, 0) === words.length
  const clamp = (ms: number) => Math.min(soundMs, Math.max(0, ms))
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

/** The text of a segment is whole where those of its tokens may be broken, so only their times count. */
function timesOf(word: HeardWord | undefined, clamp: (ms: number) => number) {
  return word && { startMs: clamp(word.startMs), endMs: clamp(word.endMs), confidence: word.confidence }
}

function countWords(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length
}

/** Whether the text ended because no token was left: two of each segment's are its times. */
function isCutShort({ tokens, segment_texts: texts }: RecognizerResult, paddedMs: number): boolean {
  const limit = Math.min(maxTokens, Math.floor((paddedMs / 1000) * tokensPerSecond))
  return tokens.length + 2 * texts.length >= limit
}

function withWords(segment: ReadSegment, words: HeardWord[]): ReadSegment {
  const endMs = words.at(-1)?.endMs ?? segment.endMs
  return { ...segment, words, endMs, text: words.map(({ text }) => text).join(' ') }
}

function finish(segments: ReadSegment[], { isComplete }: { isComplete: boolean }): HeardWindow {
  const heard = segments.map(({ startMs, endMs, words }): HeardSegment => {
    const spoken = removeSounds(words)
    const text = spoken.map((word) => word.text).join(' ')
    const ratio = compressionRatio(text)
    return { startMs, endMs, text, words: spoken, logProbability: null, noSpeech: null, compressionRatio: ratio }
  })
  // Where it stopped is read off the last segment, so that one stays even without words.
  return {
    segments: heard.filter(({ words }, at) => words.length > 0 || (!isComplete && at === heard.length - 1)),
    isComplete,
  }
}
