import type { Segment, WordCorrection } from './transcription.ts'

/** A change made by a word list, with its position in the text of the segment: UTF-16 offsets, end exclusive. */
export interface PositionedCorrection extends WordCorrection {
  start: number
  end: number
}

/**
 * Returns the changes that word lists made in a segment, in order. Passages that a person has rewritten since are left out, because the
 * text no longer matches the list there.
 */
export function listCorrections({ text, words = [] }: Pick<Segment, 'text' | 'words'>): PositionedCorrection[] {
  const corrections: PositionedCorrection[] = []
  let searchFrom = 0
  for (const { text: word, correction } of words) {
    const at = text.indexOf(word, searchFrom)
    if (at < 0) continue
    searchFrom = at + word.length
    if (!correction) continue
    const start = at + (/^[^\p{L}\p{N}\p{M}]*/u.exec(word)?.[0].length ?? 0)
    const end = start + correction.written.length
    if (text.slice(start, end) === correction.written) corrections.push({ ...correction, start, end })
  }
  return corrections
}

/** Returns a text with a correction reverted to what was heard. */
export function undoCorrection(text: string, { heard, start, end }: PositionedCorrection): string {
  return `${text.slice(0, start)}${heard}${text.slice(end)}`
}
