import type { TranscribedWord } from '../backend/speech-backend.ts'

/** A token returned by the addon; its bytes may be part of a letter. */
export interface WhisperToken {
  bytes: Uint8Array
  probability: number
  logProbability: number
  startMs: number
  endMs: number
}

/**
 * Joins tokens into words: a token that starts with a space starts a word, and punctuation belongs to the preceding word. Letters split
 * at the end of a segment are dropped.
 */
export function joinWords(tokens: WhisperToken[]): TranscribedWord[] {
  const groups: WhisperToken[][] = []
  for (const token of tokens) {
    const group = groups.at(-1)
    if (group && token.bytes[0] !== space) group.push(token)
    else groups.push([token])
  }
  return groups.map(toWord).filter(({ text }) => text !== '')
}

const space = 0x20

function toWord(tokens: WhisperToken[]): TranscribedWord {
  const [first] = tokens
  return {
    text: new TextDecoder()
      .decode(Buffer.concat(tokens.map(({ bytes }) => bytes)))
      .replaceAll('\uFFFD', '')
      .trim(),
    startMs: first?.startMs ?? 0,
    endMs: Math.max(first?.endMs ?? 0, tokens.at(-1)?.endMs ?? 0),
    confidence: tokens.reduce((sum, { probability }) => sum + probability, 0) / tokens.length,
  }
}
