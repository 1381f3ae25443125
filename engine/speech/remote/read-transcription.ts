import { z } from 'zod'
import { translationLanguages } from '#contract/languages.ts'
import { compressionRatio } from '../backend/compression-ratio.ts'
import type { TranscribedSegment, TranscribedWord } from '../backend/speech-backend.ts'
import { isWhisperLanguage } from '../whisper-cpp/whisper-languages.ts'
import { ServerFailure } from '#engine/remote/server-failure.ts'

/** A value that is not a probability is ignored. */
const Probability = z.number().min(0).max(1).nullish().catch(null)

const Word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  probability: Probability,
})

const Segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: Probability,
  compression_ratio: z.number().nullish(),
  words: z.array(Word).nullish(),
})
type Segment = z.infer<typeof Segment>

/** The fields that we use of OpenAI's `verbose_json`; servers add fields and omit some. */
const VerboseTranscription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(Segment).nullish(),
  words: z.array(Word).nullish(),
})
type Word = z.infer<typeof Word>

export interface RemoteTranscription {
  segments: TranscribedSegment[]
  /** ISO 639-1 code; undefined where the server reports none, or one that Whisper does not support. */
  language: string | undefined
  hasWordTimes: boolean
}

/** Whisper pads windows to 30 s and sometimes writes text there, so times up to this are accepted and clamped. */
const maxTimeMs = 30_500
/** Tolerance for rounding and for segments that overlap. */
const toleranceMs = 1000
/** Whisper writes at most 448 tokens for 30 s, about 2000 letters; a server that seeks inside a window may write more. */
const maxTextLength = 10_000

/**
 * Parses the response for a window of `durationMs`. Times slightly outside of it are clamped.
 *
 * @throws ServerFailure `faulty` for anything but a transcription of this window
 */
export function readTranscription(body: Buffer, durationMs: number): RemoteTranscription {
  const response = parse(body)
  const segments = response.segments ?? [{ text: response.text, start: 0, end: durationMs / 1000 }]
  const text = segments.map((segment) => segment.text).join(' ')
  if (text.length > maxTextLength) throw new ServerFailure('faulty', `a text of ${text.length} letters for one window`)
  if (segments.length === 0 && response.text.trim()) throw new ServerFailure('faulty', 'a text without segments')
  assertTimes(segments)

  const words = response.words ?? segments.flatMap((segment) => segment.words ?? [])
  const transcribed: TranscribedSegment[] = []
  let matchedWords = 0
  for (const segment of segments) {
    const tokens = segment.text.split(/\s+/).filter((token) => token !== '')
    if (tokens.length === 0) continue
    const own = matchWords(tokens, words.slice(matchedWords))
    matchedWords += own ? own.length : words.slice(matchedWords).filter(({ start }) => start < segment.end).length
    transcribed.push(toSegment(segment, { tokens, words: own, durationMs }))
  }
  return { segments: transcribed, language: toLanguageCode(response.language ?? ''), hasWordTimes: words.length > 0 }
}

function parse(body: Buffer): z.infer<typeof VerboseTranscription> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new ServerFailure('faulty', 'a response that is not JSON', { cause })
  }
  const parsed = VerboseTranscription.safeParse(json)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole')
  throw new ServerFailure('faulty', `a response that is not verbose_json (${fields.slice(0, 3).join(', ')})`)
}

function assertTimes(segments: Segment[]): void {
  let previousMs = 0
  for (const { start, end } of segments) {
    const [startMs, endMs] = [start * 1000, end * 1000]
    const isInside = startMs >= -toleranceMs && endMs <= maxTimeMs && endMs >= startMs - toleranceMs
    if (!isInside || startMs < previousMs - toleranceMs) {
      throw new ServerFailure('faulty', `impossible times (${start} to ${end} s)`)
    }
    previousMs = startMs
  }
}

interface SegmentParts {
  tokens: string[]
  words: Word[] | undefined
  durationMs: number
}

function toSegment(segment: Segment, { tokens, words, durationMs }: SegmentParts): TranscribedSegment {
  const clamp = (seconds: number) => Math.round(Math.min(durationMs, Math.max(0, seconds * 1000)))
  const startMs = clamp(segment.start)
  const endMs = Math.max(startMs, clamp(segment.end))
  // vLLM does not compute these metrics and returns -1 for each.
  const hasMetrics = (segment.compression_ratio ?? 0) >= 0
  const meanLogProbability = hasMetrics ? (segment.avg_logprob ?? null) : null
  const confidence = meanLogProbability === null ? null : Math.exp(Math.min(0, meanLogProbability))
  const spread = spreadTimes(tokens, { startMs, endMs })
  const timedWords = tokens.map((text, index): TranscribedWord => {
    const word = words?.[index]
    if (!word) return { text, confidence, ...(spread[index] ?? { startMs, endMs }) }
    const from = Math.min(endMs, Math.max(startMs, clamp(word.start)))
    const to = Math.min(endMs, Math.max(from, clamp(word.end)))
    return { text, startMs: from, endMs: to, confidence: word.probability ?? confidence }
  })
  return {
    startMs,
    endMs,
    text: tokens.join(' '),
    words: timedWords,
    meanLogProbability,
    noSpeechProbability: segment.no_speech_prob ?? null,
    compressionRatio: compressionRatio(segment.text),
  }
}

/** Estimates word times in proportion to word length, so that a segment without timestamps can be split between speech pieces. */
function spreadTimes(tokens: string[], { startMs, endMs }: { startMs: number; endMs: number }) {
  const scale = (endMs - startMs) / tokens.join('').length
  let at = startMs
  return tokens.map(({ length }) => {
    const from = at
    at += length * scale
    return { startMs: Math.round(from), endMs: Math.round(at) }
  })
}

/** Returns the next words if they match the text; some servers omit punctuation, and some split words differently. */
function matchWords(tokens: string[], words: Word[]): Word[] | undefined {
  const own = words.slice(0, tokens.length)
  return own.length === tokens.length && own.every(({ word }, index) => letters(word) === letters(tokens[index] ?? ''))
    ? own
    : undefined
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const codesByName = new Map(
  Object.entries(translationLanguages).map(([code, { name }]) => [name.toLowerCase(), code] as const),
)

/** Converts the language of a response to a code: OpenAI returns `english`, other servers `en`. */
function toLanguageCode(language: string): string | undefined {
  const name = language.trim().toLowerCase()
  return isWhisperLanguage(name) ? name : codesByName.get(name)
}
