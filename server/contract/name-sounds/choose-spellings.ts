/** More spellings of one name are hardly ever in use, and each costs a search time. */
const maxSpellings = 24

/** Another spelling of a name: folded words with a space between them. */
export interface FoundSpelling {
  text: string
  /** How much it differs (see compareNames). */
  distance: number
}

/** Returns the spellings that differ least, in this order: as many as are looked for. */
export function chooseClosest(found: readonly FoundSpelling[]): string[] {
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSpellings)
    .map(({ text }) => text)
}
