import { splitAtDoubt } from '../doubt.ts'
import type { KeywordMatcher } from '../keywords/find-keywords.ts'
import type { KeywordCategory } from '../keywords/keywords.ts'
import { describeLanguage, type Language } from '../languages.ts'
import type { Segment } from '../transcription.ts'

/** A piece of a text in one style. */
export interface ReportPiece {
  text: string
  /** Set for a keyword. */
  category?: KeywordCategory
  isUncertain?: true
}

/** A text with its direction. Joined, the pieces are the complete text. */
export interface ReportText {
  pieces: ReportPiece[]
  /** Null when unknown; the first letter then decides the direction. */
  language: string | null
  direction: Language['direction']
}

interface TextOptions {
  language: string | null
  /** Marks keywords; null marks none. */
  find: KeywordMatcher | null
  /** The segment of the text, if its uncertain words must be marked. */
  doubtful?: Pick<Segment, 'words'> | null
  /** Marks the text as a whole if none of its words is uncertain. */
  isDoubtful?: boolean
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const letter = /\p{L}/u

/** Splits a text at its keywords and uncertain words. */
export function createText(
  text: string,
  { language, find, doubtful = null, isDoubtful = false }: TextOptions,
): ReportText {
  const hits = find ? find(text, language) : []
  const doubts = doubtful ? uncertainSpans(text, doubtful) : []
  if (doubtful && isDoubtful && doubts.length === 0) doubts.push({ start: 0, end: text.length })
  const edges = new Set([0, text.length, ...[...hits, ...doubts].flatMap(({ start, end }) => [start, end])])
  const starts = [...edges].toSorted((a, b) => a - b)
  const [hitAt, doubtAt] = [createSpanFinder(hits), createSpanFinder(doubts)]
  const pieces = starts.slice(0, -1).map((start, index): ReportPiece => {
    const hit = hitAt(start)
    const isUncertain = doubtAt(start) !== undefined
    return {
      text: text.slice(start, starts[index + 1]),
      ...(hit && { category: hit.category }),
      ...(isUncertain && { isUncertain }),
    }
  })
  return { pieces, language, direction: directionOf(text, language) }
}

/** Creates a function that finds the span around an offset in sorted spans, for increasing offsets: a line may have thousands. */
function createSpanFinder<Span extends { start: number; end: number }>(
  spans: readonly Span[],
): (offset: number) => Span | undefined {
  let next = 0
  return (offset) => {
    while (next < spans.length && (spans[next]?.end ?? 0) <= offset) next += 1
    const span = spans[next]
    return span && span.start <= offset ? span : undefined
  }
}

/** Returns the direction of a text: that of its language if known, otherwise that of its first letter. */
export function directionOf(text: string, language: string | null): Language['direction'] {
  if (language !== null) return describeLanguage(language).direction
  return rightToLeftLetter.test(letter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}

function uncertainSpans(text: string, { words = [] }: Pick<Segment, 'words'>): { start: number; end: number }[] {
  let start = 0
  return splitAtDoubt({ text, words }).flatMap((piece) => {
    const span = { start, end: start + piece.text.length }
    start = span.end
    return piece.confidence === null ? [] : [span]
  })
}

/**
 * Splits a text into stretches of one direction: characters between two letters of the same direction take that direction, the rest that of
 * the text. Word needs each in a separate run (ECMA-376 part 1, 17.3.2.30: `rtl` is not for left-to-right letters).
 */
export function splitByDirection(
  text: string,
  direction: Language['direction'],
): { text: string; direction: Language['direction'] }[] {
  const stretches: { start: number; direction: Language['direction'] }[] = [{ start: 0, direction }]
  let lastEnd = 0
  for (const { 0: found, index } of text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
    const own = rightToLeftLetter.test(found) ? 'rtl' : 'ltr'
    const current = stretches.at(-1)
    // Spaces and punctuation after a foreign stretch belong to the text again.
    if (current?.direction !== own) stretches.push({ start: own === direction ? lastEnd : index, direction: own })
    lastEnd = index + found.length
  }
  const last = stretches.at(-1)
  if (last && last.direction !== direction && lastEnd < text.length) stretches.push({ start: lastEnd, direction })
  return stretches
    .map((stretch, index) => ({
      text: text.slice(stretch.start, stretches[index + 1]?.start),
      direction: stretch.direction,
    }))
    .filter((stretch) => stretch.text !== '')
}
