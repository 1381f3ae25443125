import { meanConfidence } from '../mean-confidence.ts'
import type { LineWord } from '../transcript-line.ts'
import { lettersOf, maxHeardWords, type HeardPhrase } from './listed-spellings.ts'

/** `count` words, starting with the one at `from`. */
export interface WordSpan {
  from: number
  count: number
}

export interface WordReplacement extends WordSpan {
  written: string
}

/** Reads the words of a line, each of which can be replaced once. */
export function readWords(words: readonly LineWord[]) {
  const parts = words.map(({ text }) => splitWord(text))
  const taken = words.map(() => false)
  const isTaken = ({ from, count }: WordSpan) => taken.slice(from, from + count).includes(true)

  return {
    parts,
    isTaken,
    take: ({ from, count }: WordSpan) => void taken.fill(true, from, from + count),
    textAt: ({ from, count }: WordSpan) => textOf(parts.slice(from, from + count)),
    heardAt: ({ from, count }: WordSpan): HeardPhrase => ({
      letters: parts
        .slice(from, from + count)
        .map(({ letters }) => letters)
        .join(''),
      count,
      confidence: meanConfidence(words.slice(from, from + count)),
    }),
    /** Returns the words that are mostly said within a time; null if there are none or punctuation separates them. */
    spanAt({ startMs, endMs }: Pick<LineWord, 'startMs' | 'endMs'>): WordSpan | null {
      const within = words.flatMap((word, index) => {
        const sharedMs = Math.min(endMs, word.endMs) - Math.max(startMs, word.startMs)
        return sharedMs >= Math.max(1, word.endMs - word.startMs) / 2 ? [index] : []
      })
      const from = within[0] ?? 0
      // Words of zero length between these belong to them.
      const span = { from, count: (within.at(-1) ?? 0) + 1 - from }
      return within.length > 0 && isOnePhrase(parts.slice(span.from, span.from + span.count)) ? span : null
    },
    /** Returns the spans that can still be replaced: longest first, then earliest. */
    freeSpans(): WordSpan[] {
      const spans: WordSpan[] = []
      for (let count = Math.min(maxHeardWords, words.length); count >= 1; count -= 1) {
        for (let from = 0; from + count <= words.length; from += 1) {
          const span = { from, count }
          if (!isTaken(span) && isOnePhrase(parts.slice(from, from + count))) spans.push(span)
        }
      }
      return spans
    },
  }
}

export interface PunctuatedWord {
  before: string
  core: string
  after: string
  letters: string
}

/** Separates punctuation and an English possessive ending from a word. */
function splitWord(text: string): PunctuatedWord {
  const found = /^(?<before>[^\p{L}\p{N}\p{M}]*)(?<core>.*?)(?<after>(?:['’]s)?[^\p{L}\p{N}\p{M}]*)$/su.exec(
    text,
  )?.groups
  const { before = '', core = text, after = '' } = found ?? {}
  return { before, core, after, letters: lettersOf(core) }
}

/** Returns whether only blanks separate the words. */
function isOnePhrase(parts: readonly PunctuatedWord[]): boolean {
  return parts.every(
    ({ before, after, letters }, index) =>
      letters !== '' && (index === 0 || before === '') && (index === parts.length - 1 || after === ''),
  )
}

function textOf(parts: readonly PunctuatedWord[]): string {
  return parts.map(({ core }) => core).join(' ')
}

/** Returns the words with the replacements applied; replacements do not overlap. */
export function replaceWords(
  words: LineWord[],
  parts: readonly PunctuatedWord[],
  replacements: readonly WordReplacement[],
): LineWord[] {
  const byStart = new Map(replacements.map((replacement) => [replacement.from, replacement]))
  const result: LineWord[] = []
  for (let at = 0; at < words.length;) {
    const replacement = byStart.get(at)
    const word = words[at]
    if (replacement) result.push(...writeListed(replacement, words, parts))
    else if (word) result.push(word)
    at += replacement?.count ?? 1
  }
  return result
}

/** Returns the listed words, spread over the time of the heard words by their letters; the first word records what was heard. */
function writeListed(
  { from, count, written }: WordReplacement,
  words: readonly LineWord[],
  parts: readonly PunctuatedWord[],
): LineWord[] {
  const heard = words.slice(from, from + count)
  const own = parts.slice(from, from + count)
  const [first, last] = [heard[0], heard.at(-1)]
  if (!first || !last) return []
  const texts = written.split(' ')
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  const confidences = heard.flatMap(({ confidence }) => confidence ?? [])
  const confidence = confidences.length < heard.length ? null : Math.min(...confidences)
  let startMs = first.startMs
  return texts.map((text, index) => {
    const isLast = index === texts.length - 1
    const endMs = isLast ? last.endMs : startMs + ((last.endMs - first.startMs) * text.length) / letters
    const before = index === 0 ? (own[0]?.before ?? '') : ''
    const after = isLast ? (own.at(-1)?.after ?? '') : ''
    const word = {
      text: `${before}${text}${after}`,
      startMs,
      endMs,
      confidence,
      ...(index === 0 && { correction: { heard: textOf(own), written } }),
    }
    startMs = endMs
    return word
  })
}
