import { isUncertainSegment, splitAtDoubt } from '#contract/doubt.ts'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import type { Segment } from '#contract/transcription.ts'
import type { PositionedCorrection } from '#contract/word-corrections.ts'

/** A range of a text in UTF-16 units, end exclusive. */
export interface TextRange {
  start: number
  end: number
}

/** A search match. */
export interface MatchRange extends TextRange {
  /** The text has another spelling of what was searched for. */
  isSpelled?: true
}

interface DoubtRange extends TextRange {
  confidence: number
}

/** A piece of text with the same marks throughout. */
export interface MarkedPiece {
  text: string
  /** The model's confidence if it is uncertain, otherwise null. */
  confidence: number | null
  /** The index of the match that this piece belongs to. */
  match: number | null
  /** Set on a match in another spelling. */
  isSpelled?: true
  /** Set on text that a word list changed. */
  correction?: PositionedCorrection
}

/** A keyword, or the text between two keywords. */
export interface MarkedPart {
  hit: KeywordHit | null
  pieces: MarkedPiece[]
}

interface Marks {
  /** In order, none overlapping another. */
  hits: readonly KeywordHit[]
  /** In order, none overlapping another. */
  doubts?: readonly DoubtRange[]
  /** In order, none overlapping another. */
  matches?: readonly MatchRange[]
  /** In order, none overlapping another. */
  corrections?: readonly PositionedCorrection[]
}

/**
 * Splits a text at its keywords, and each part at uncertain words, word list corrections and search matches. The pieces joined together
 * are the text.
 */
export function splitText(text: string, { hits, doubts = [], matches = [], corrections = [] }: Marks): MarkedPart[] {
  const parts: MarkedPart[] = []
  const pieces = (range: TextRange) => splitRange(text, range, { doubts, matches, corrections })
  let at = 0
  for (const hit of hits) {
    if (hit.start > at) parts.push({ hit: null, pieces: pieces({ start: at, end: hit.start }) })
    parts.push({ hit, pieces: pieces(hit) })
    at = hit.end
  }
  if (at < text.length) parts.push({ hit: null, pieces: pieces({ start: at, end: text.length }) })
  return parts
}

function splitRange(
  text: string,
  { start, end }: TextRange,
  { doubts, matches, corrections }: Required<Omit<Marks, 'hits'>>,
): MarkedPiece[] {
  const edges = new Set([start, end])
  for (const range of [...doubts, ...matches, ...corrections]) {
    for (const edge of [range.start, range.end]) if (edge > start && edge < end) edges.add(edge)
  }
  const sorted = [...edges].toSorted((a, b) => a - b)
  return sorted.slice(1).map((to, index) => {
    const from = sorted[index] ?? start
    const holds = (range: TextRange) => range.start <= from && to <= range.end
    const match = matches.findIndex(holds)
    const correction = corrections.find(holds)
    return {
      text: text.slice(from, to),
      confidence: doubts.find(holds)?.confidence ?? null,
      match: match < 0 ? null : match,
      ...(matches[match]?.isSpelled && { isSpelled: true as const }),
      ...(correction && { correction }),
    }
  })
}

/** Returns the uncertain words of a segment, or all of it if the whole segment is uncertain rather than particular words. */
export function listDoubts(segment: Segment): DoubtRange[] {
  const doubts: DoubtRange[] = []
  let at = 0
  for (const { text, confidence } of splitAtDoubt(segment)) {
    if (confidence !== null) doubts.push({ start: at, end: at + text.length, confidence })
    at += text.length
  }
  const isWhole = doubts.length === 0 && isUncertainSegment(segment)
  return isWhole ? [{ start: 0, end: segment.text.length, confidence: segment.confidence ?? 0 }] : doubts
}
