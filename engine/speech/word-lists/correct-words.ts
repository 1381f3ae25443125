import { meanConfidence } from '../mean-confidence.ts'
import type { LineWord } from '../transcript-line.ts'
import { lettersOf, maxHeardWords, type HeardWords, type ListedSpellings } from './listed-spellings.ts'

/** What the model is surer of is replaced only where a person listed its spelling. */
const maxNearConfidence = 0.9

/** So many words from `from` on. */
interface Span {
  from: number
  count: number
}

interface Replacement extends Span {
  written: string
}

/**
 * Writes words as they are listed, in this order: what is listed already stays, or gets the listed accents and blanks; what was listed as
 * another spelling is replaced; what the model was not sure of is replaced by the one listed word that sounds nearest, where one is near.
 * Nothing is replaced twice or across punctuation. What is replaced keeps its time, its lowest confidence and the punctuation around it,
 * and says what was heard. Returns the same array where nothing is replaced.
 */
export function correctWords(words: LineWord[], spellings: ListedSpellings): LineWord[] {
  const text = readWords(words)
  const replacements: Replacement[] = []
  const replace = (span: Span, written: string) => {
    text.take(span)
    replacements.push({ ...span, written })
  }
  for (const span of text.freeSpans()) {
    const listed = spellings.findSame(text.heardAt(span))
    if (listed === undefined || text.isTaken(span)) continue
    if (isSameButCase(listed, text.textAt(span))) text.take(span)
    else replace(span, listed)
  }
  for (const span of text.freeSpans()) {
    const listed = spellings.findHeardAs(text.heardAt(span))
    if (listed !== undefined && !text.isTaken(span)) replace(span, listed)
  }
  const near = text.freeSpans().flatMap((span) => {
    const heard = text.heardAt(span)
    const found = (heard.confidence ?? 0) < maxNearConfidence ? spellings.findNear(heard) : undefined
    if (!found) return []
    const letters = heard.letters.length
    return [{ word: found.word, span, letters, share: found.distance / letters }]
  })
  for (const { span, word } of near.toSorted((a, b) => a.share - b.share || b.letters - a.letters)) {
    if (!text.isTaken(span)) replace(span, word)
  }
  return replacements.length === 0 ? words : replaceWords(words, text.parts, replacements)
}

function readWords(words: readonly LineWord[]) {
  const parts = words.map(({ text }) => splitWord(text))
  const taken = words.map(() => false)
  const isTaken = ({ from, count }: Span) => taken.slice(from, from + count).includes(true)

  return {
    parts,
    isTaken,
    take: ({ from, count }: Span) => void taken.fill(true, from, from + count),
    textAt: ({ from, count }: Span) => textOf(parts.slice(from, from + count)),
    heardAt: ({ from, count }: Span): HeardWords => ({
      letters: parts
        .slice(from, from + count)
        .map(({ letters }) => letters)
        .join(''),
      count,
      confidence: meanConfidence(words.slice(from, from + count)),
    }),
    /** Returns what can still be replaced: longest first, then earliest. */
    freeSpans(): Span[] {
      const spans: Span[] = []
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

interface WordParts {
  before: string
  core: string
  after: string
  letters: string
}

/** Splits punctuation, and an English possessive ending, from a word. */
function splitWord(text: string): WordParts {
  const found = /^(?<before>[^\p{L}\p{N}\p{M}]*)(?<core>.*?)(?<after>(?:['’]s)?[^\p{L}\p{N}\p{M}]*)$/su.exec(
    text,
  )?.groups
  const { before = '', core = text, after = '' } = found ?? {}
  return { before, core, after, letters: lettersOf(core) }
}

/** Returns whether nothing but blanks separates the words. */
function isOnePhrase(parts: readonly WordParts[]): boolean {
  return parts.every(
    ({ before, after, letters }, index) =>
      letters !== '' && (index === 0 || before === '') && (index === parts.length - 1 || after === ''),
  )
}

function textOf(parts: readonly WordParts[]): string {
  return parts.map(({ core }) => core).join(' ')
}

function isSameButCase(one: string, other: string): boolean {
  return one.normalize().toLowerCase() === other.normalize().toLowerCase()
}

function replaceWords(words: LineWord[], parts: WordParts[], replacements: Replacement[]): LineWord[] {
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

/** Returns the listed words in the time of those that were heard, divided by their letters; the first says what was heard. */
function writeListed({ from, count, written }: Replacement, words: LineWord[], parts: WordParts[]): LineWord[] {
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
