import { editDistance } from '#contract/edit-distance.ts'

/** The start or end of two texts counts as the same if at most this share of the letters differs. */
const maxChangedShare = 0.5

/** Returns the letters and digits of a text, in lower case. */
export function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Whether two texts start, or end, with almost the same `letters` letters. */
export function hasSameStartOrEnd(
  a: string,
  b: string,
  { isStart, letters }: { isStart: boolean; letters: number },
): boolean {
  const edge = (text: string) => (isStart ? lettersOf(text).slice(0, letters) : lettersOf(text).slice(-letters))
  return editDistance(edge(a), edge(b)) <= letters * maxChangedShare
}
