/** Words of a text as they are compared: lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s]/gu, '')
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/** Fewest insertions, deletions and substitutions that turn one list of words into the other. */
export function wordErrors(expected: string[], heard: string[]): number {
  let previous = Array.from({ length: heard.length + 1 }, (_, index) => index)
  for (const [row, word] of expected.entries()) {
    const current = [row + 1]
    for (const [column, other] of heard.entries()) {
      const substituted = (previous[column] ?? 0) + (word === other ? 0 : 1)
      current.push(Math.min(substituted, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}

/** Counts errors over many texts; the rate is errors per expected word, 0 to 1 and beyond. */
export class ErrorCount {
  texts = 0
  exact = 0
  words = 0
  errors = 0

  add(expected: string, heard: string): void {
    const [wanted, got] = [wordsOf(expected), wordsOf(heard)]
    const errors = wordErrors(wanted, got)
    this.texts += 1
    this.exact += errors === 0 ? 1 : 0
    this.words += wanted.length
    this.errors += errors
  }

  get rate(): number {
    return this.words === 0 ? 0 : this.errors / this.words
  }
}
