import type { HeardWord } from '../backend/speech-backend.ts'

/** A token as the addon gives it; its bytes may be a part of a letter. */
export interface WhisperToken {
  bytes: Uint8Array
  probability: number
  logProbability: number
  startMs: number
  endMs: number
}

/**
 * Joins tokens to words: a token that begins with a blank begins a word, and punctuation belongs to the word before it. Letters cut in
 * half at a segment's end are left out.
 */
export function joinWords(tokens: WhisperToken[]): HeardWord[] {
  const groups: WhisperToken[][] = []
  for (const token of tokens) {
    const group = groups.at(-1)
    if (group && token.bytes[0] !== blank) group.push(token)
    else groups.push([token])
  }
  return groups.map(toWord).filter(({ text }) => text !== '')
}

const blank = 0x20

function toWord(tokens: WhisperToken[]): HeardWord {
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
