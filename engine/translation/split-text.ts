/** White space after the end of a sentence, in Latin, Arabic and East Asian writing. */
const sentenceGap = /(?<=[.!?؟۔…]["'”»)\]]*)\s+|(?<=[。！？])/u
const clauseGap = /(?<=[,،;؛:])\s+/u
const wordGap = /\s+/u

/** Packs sentences into pieces of at most `maxCharacters`; a longer sentence is a separate piece. Joined by spaces they yield the text. */
export function packSentences(text: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  for (const sentence of text.split(sentenceGap)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + sentence.length <= maxCharacters) {
      pieces[pieces.length - 1] = `${last} ${sentence}`
    } else {
      pieces.push(sentence)
    }
  }
  return pieces
}

export type SplitPlace = 'sentence' | 'anywhere'

/**
 * Splits a text at the end of a sentence near its middle; with `anywhere`, it falls back to a clause, a word or, if there is none, a
 * character. Returns null if the text cannot be split this way.
 */
export function splitInTwo(text: string, place: SplitPlace): [string, string] | null {
  const gaps = place === 'sentence' ? [sentenceGap] : [sentenceGap, clauseGap, wordGap]
  for (const gap of gaps) {
    const parts = splitNearMiddle(text, gap)
    if (parts) return parts
  }
  const characters = [...text]
  if (place === 'sentence' || characters.length < 2) return null
  const middle = Math.ceil(characters.length / 2)
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')]
}

function splitNearMiddle(text: string, gap: RegExp): [string, string] | null {
  let best: [string, string] | null = null
  let bestDistance = Infinity
  for (const match of text.matchAll(new RegExp(gap, 'gu'))) {
    const parts: [string, string] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    const distance = Math.abs(parts[0].length - parts[1].length)
    if (distance < bestDistance && parts.every((part) => part.trim() !== '')) {
      best = parts
      bestDistance = distance
    }
  }
  return best
}
