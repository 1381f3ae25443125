/** More spellings of one name hardly ever occur, and each slows down a search. */
const maxSpellings = 24

/** Another spelling of a name: folded words with a space between them. */
export interface FoundSpelling {
  text: string
  /** How much it differs from the name (see compareNames). */
  distance: number
}

/** Returns the spellings that differ least, closest first, up to the maximum number. */
export function chooseClosest(found: readonly FoundSpelling[]): string[] {
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSpellings)
    .map(({ text }) => text)
}
