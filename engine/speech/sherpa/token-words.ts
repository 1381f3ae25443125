import type { HeardWord } from '../backend/speech-backend.ts'
import type { RecognizerResult } from './recognizer-result.ts'

/** A token with its times; its text may be a part of a letter. */
interface TimedToken {
  text: string
  startMs: number
  endMs: number
  probability: number | null
}

/** CTC says when a token begins, not when it ends; a word's last token lasts no longer than this. */
const maxTokenMs = 240

/**
 * The words of a recogniser's tokens with their times; undefined where the model gives tokens no times. A token that begins with a blank
 * (or with the mark that SentencePiece puts for one) begins a word.
 */
export function joinTokens(result: RecognizerResult): HeardWord[] | undefined {
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

function toWord(tokens: TimedToken[]): HeardWord {
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

/** The words of a text that lasts from one time to another, each as long as its letters; they are no times of the words' own. */
export function spreadWords(text: string, { startMs, endMs }: { startMs: number; endMs: number }): HeardWord[] {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  const msPerLetter = (endMs - startMs) / Math.max(1, letters)
  let atMs = startMs
  return words.map((word) => {
    const wordStartMs = atMs
    atMs += word.length * msPerLetter
    return { text: word, startMs: wordStartMs, endMs: atMs, confidence: null }
  })
}
