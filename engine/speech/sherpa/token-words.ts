import type { TranscribedWord } from '../backend/speech-backend.ts'
import type { RecognizerResult } from './recognizer-result.ts'

/** A token with its times; its text may be part of a letter. */
interface TimedToken {
  text: string
  startMs: number
  endMs: number
  probability: number | null
}

/** CTC gives the start of a token but not its end; the last token of a word lasts at most this long. */
const maxTokenMs = 240

/**
 * Joins the tokens of a recognizer into words with times; undefined if the tokens have no times. A token that starts with a space (or with
 * SentencePiece's mark for a space) starts a word.
 */
export function joinTokens(result: RecognizerResult): TranscribedWord[] | undefined {
  const tokens = timeTokens(result)
  if (!tokens) return undefined
  const groups: TimedToken[][] = []
  for (const token of tokens) {
    const group = groups.at(-1)
    if (group && !/^[\s▁]/u.test(token.text)) group.push(token)
    else groups.push([token])
  }
  return groups.map(toWord).filter(({ text }) => text !== '')
}

function timeTokens({ tokens, timestamps, durations, ys_log_probs }: RecognizerResult): TimedToken[] | undefined {
  if (timestamps.length !== tokens.length) return undefined
  return tokens.map((text, index) => {
    const startMs = (timestamps[index] ?? 0) * 1000
    const durationMs = durations.length === tokens.length ? (durations[index] ?? 0) * 1000 : maxTokenMs
    const nextMs = (timestamps[index + 1] ?? Number.POSITIVE_INFINITY) * 1000
    const logProbability = ys_log_probs.length === tokens.length ? ys_log_probs[index] : undefined
    return {
      text,
      startMs,
      endMs: Math.max(startMs, Math.min(startMs + durationMs, nextMs)),
      probability: logProbability === undefined ? null : Math.min(1, Math.exp(logProbability)),
    }
  })
}

function toWord(tokens: TimedToken[]): TranscribedWord {
  const text = tokens
    .map((token) => token.text)
    .join('')
    .replaceAll(/[▁\uFFFD]/gu, '')
    .trim()
  const probabilities = tokens.flatMap(({ probability }) => probability ?? [])
  const isKnown = probabilities.length === tokens.length
  return {
    text,
    startMs: tokens[0]?.startMs ?? 0,
    endMs: tokens.at(-1)?.endMs ?? 0,
    confidence: isKnown ? probabilities.reduce((sum, value) => sum + value, 0) / probabilities.length : null,
  }
}
