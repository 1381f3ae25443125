import { forEachOccurrence, readLines, type Occurrences } from '#data/search/postings.ts'
import type { ReadTerm } from './read-query.ts'
import { unite } from './sorted-lists.ts'

/** Positions in a line are below this. */
const positionsPerLine = 0x10000

/** Returns the lines of a recording that have a term. */
export function findTermLines({ occurrences }: ReadTerm, ordinal: number): number[] {
  const [forms = []] = occurrences
  const isOneWord = occurrences.length === 1 && forms.every((parts) => parts.length === 1)
  if (isOneWord) return unite(forms.flatMap(([part]) => (part?.get(ordinal) ?? []).map(readLines)))
  let ends: number[] | undefined
  for (const form of occurrences) {
    const before: number[] | undefined = ends
    ends = unite(
      form.map((words) =>
        follow(
          before,
          words.map((word) => word.get(ordinal) ?? []),
        ),
      ),
    )
    if (ends.length === 0) return []
  }
  return unite([(ends ?? []).map((end) => Math.floor(end / positionsPerLine))]).filter(
    (line, index, lines) => line !== lines[index - 1],
  )
}

/** Follows runs of words by further words: both the result and `before` are the places after the last word. */
function follow(before: number[] | undefined, words: Occurrences[][]): number[] {
  let ends = before
  for (const occurrences of words) ends = followWord(ends, unite(occurrences.map(readPlaces)))
  return ends ?? []
}

function followWord(before: number[] | undefined, places: number[]): number[] {
  if (!before) return places.map((place) => place + 1)
  const ends: number[] = []
  let index = 0
  for (const place of places) {
    while (index < before.length && (before[index] ?? 0) < place) index += 1
    // Said several times in a row, a word counts as said once.
    if (before[index] === place || ends.at(-1) === place) ends.push(place + 1)
  }
  return ends
}

function readPlaces(occurrences: Occurrences): number[] {
  const places: number[] = []
  forEachOccurrence(occurrences, (line, position) => {
    places.push(line * positionsPerLine + Math.min(position, positionsPerLine - 2))
  })
  return places
}
