import { foldTranscript } from '#engine/evaluate/fold-transcript.ts'
import { compareWords } from '#engine/evaluate/word-differences.ts'

/** Listed words that were said and recognized, and the errors in all other words. */
export interface ListedWordCounts {
  said: number
  recognized: number
  otherWords: number
  otherErrors: number
}

export function createNameTally(): ListedWordCounts {
  return { said: 0, recognized: 0, otherWords: 0, otherErrors: 0 }
}

/** Adds a text. A word that no one said, listed or not, counts as an error in the other words. */
export function countText(
  tally: ListedWordCounts,
  { reference, text, listed }: { reference: string; text: string; listed: ReadonlySet<string> },
): void {
  for (const difference of compareWords(reference, text)) {
    if (difference.kind === 'extra') {
      tally.otherErrors += 1
      continue
    }
    const isRight = difference.kind === 'same'
    const said = difference.kind === 'wrong' ? difference.expected : difference.word
    if (listed.has(foldTranscript(said))) {
      tally.said += 1
      tally.recognized += isRight ? 1 : 0
    } else {
      tally.otherWords += 1
      tally.otherErrors += isRight ? 0 : 1
    }
  }
}

export function sumCounts(tallies: readonly ListedWordCounts[]): ListedWordCounts {
  const total = createNameTally()
  for (const tally of tallies) {
    total.said += tally.said
    total.recognized += tally.recognized
    total.otherWords += tally.otherWords
    total.otherErrors += tally.otherErrors
  }
  return total
}

export function recallOf({ said, recognized }: ListedWordCounts): number {
  return said === 0 ? 0 : recognized / said
}

export function otherErrorRate({ otherWords, otherErrors }: ListedWordCounts): number {
  return otherWords === 0 ? 0 : otherErrors / otherWords
}
