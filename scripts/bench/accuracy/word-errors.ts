import { editDistance } from '#contract/edit-distance.ts'

/** Words of a text as they are compared: lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s]/gu, '')
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/** Counts errors over many texts; the rate is errors per expected word, 0 to 1 and beyond. */
export class ErrorCount {
  texts = 0
  exact = 0
  words = 0
  errors = 0

  add(expected: string, hypothesis: string): void {
    const [wanted, got] = [wordsOf(expected), wordsOf(hypothesis)]
    const errors = editDistance(wanted, got)
    this.texts += 1
    this.exact += errors === 0 ? 1 : 0
    this.words += wanted.length
    this.errors += errors
  }

  get rate(): number {
    return this.words === 0 ? 0 : this.errors / this.words
  }
}
