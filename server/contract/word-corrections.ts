import type { Segment, WordCorrection } from './transcription.ts'

/** What a word list changed, with its place in the text of the segment: UTF-16 offsets, end exclusive. */
export interface PositionedCorrection extends WordCorrection {
  start: number
  end: number
}

/**
 * Returns what word lists changed in a segment, in order. What a person has written otherwise since is left out: the text no longer reads
 * there as the list has it.
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

/** Returns a text with what was heard in place of what a list made of it. */
export function undoCorrection(text: string, { heard, start, end }: PositionedCorrection): string {
  return `${text.slice(0, start)}${heard}${text.slice(end)}`
}
