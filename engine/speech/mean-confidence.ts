/** Returns the mean confidence of words, 0 to 1; null if any is unknown, and 0 for no words. */
export function meanConfidence(words: { confidence: number | null }[]): number | null {
  let sum = 0
  for (const { confidence } of words) {
    if (confidence === null) return null
    sum += confidence
  }
  return sum / Math.max(1, words.length)
}
