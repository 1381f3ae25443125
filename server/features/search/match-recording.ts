import { findSearchMarks, type SearchTerm } from '#contract/search-query.ts'
import type { SearchableRecording } from '#data/search/searchable-recordings.ts'
import { forEachOccurrence, type Occurrences, readLines } from '#data/search/postings.ts'
import type { ReadQuery, ReadTerm } from './read-query.ts'

/** Intersects lists of numbers in ascending order, each number once. */

function intersect(a: number[], b: number[]): number[] {
  const both: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [x = 0, y = 0] = [a[i], b[j]]
    if (x === y) both.push(x)
    if (x <= y) i += 1
    if (y <= x) j += 1
  }
  return both
}

function unite(lists: number[][]): number[] {
  const [only = []] = lists
  return lists.length < 2 ? only : [...new Set(lists.flat())].toSorted((a, b) => a - b)
}

function subtract(from: number[], removed: number[]): number[] {
  if (removed.length === 0) return from
  const isRemoved = new Set(removed)
  return from.filter((number) => !isRemoved.has(number))
}

/** Positions within a line are below this number. */
const positionsPerLine = 0x10000

/** Returns the lines of a recording that contain a term. */
function findTermLines({ occurrences }: ReadTerm, ordinal: number): number[] {
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

/** Extends runs of words by further words: both the result and `before` are the places after the last word. */
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
    // A word repeated several times in a row counts as said once.
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

/** What matches in a recording. */
export interface RecordingMatch {
  /** Whether a single line, or the name, has all terms; otherwise they are in different places. */
  isInOneLine: boolean
  isNameFound: boolean
  /** Line numbers: the lines with all terms, or else those with any. */
  lines: number[]
}

interface MatchOptions {
  /** Whether names count: they have no speaker, language or category. */
  hasNames: boolean
  /** Returns the lines of a recording that may match; undefined means all. */
  allowedLines?: ((recording: SearchableRecording) => number[]) | undefined
}

/** Returns what matches a query in a recording; undefined if a term is missing. */
export function matchRecording(
  query: ReadQuery,
  recording: SearchableRecording,
  { hasNames, allowedLines }: MatchOptions,
): RecordingMatch | undefined {
  const { ordinal } = recording
  const { terms } = query
  const isInName = (term: SearchTerm | undefined) => hasNames && term !== undefined && hasTerm(recording, term)
  const isPossible = terms.every((term, index) => term.ordinals.has(ordinal) || isInName(query.nameTerms[index]))
  if (!isPossible) return undefined
  const inName = query.nameTerms.map(isInName)
  const isNameAllowed = inName.includes(true) && !query.excluded.some(({ term }) => hasTerm(recording, term))
  const restrict = createRestriction(query, recording, allowedLines)
  const found = terms.map((term) => (term.ordinals.has(ordinal) ? restrict(findTermLines(term, ordinal)) : []))
  const isComplete = found.every((lines, index) => lines.length > 0 || (isNameAllowed && inName[index]))
  if (!isComplete) return undefined
  const together = found.reduce(intersect)
  const isWholeName = isNameAllowed && inName.every(Boolean)
  const isInOneLine = together.length > 0 || isWholeName
  return isInOneLine
    ? { isInOneLine, isNameFound: isWholeName, lines: together }
    : { isInOneLine, isNameFound: isNameAllowed, lines: unite(found) }
}

/** Returns the function that removes lines excluded by a filter or an excluded term. */
function createRestriction(
  { excluded, facets }: ReadQuery,
  recording: SearchableRecording,
  allowedLines: MatchOptions['allowedLines'],
): (lines: number[]) => number[] {
  const { ordinal } = recording
  const allowed = facets.map((facet) => unite((facet.get(ordinal) ?? []).map(readLines)))
  if (allowedLines) allowed.push(allowedLines(recording))
  const removed = unite(
    excluded.filter((term) => term.ordinals.has(ordinal)).map((term) => findTermLines(term, ordinal)),
  )
  return (lines) => subtract(allowed.reduce(intersect, lines), removed)
}

function hasTerm({ name, nameWords }: SearchableRecording, term: SearchTerm): boolean {
  const [first] = term.words
  // Most names contain none of the words, and looking for one is cheap.
  const forms = first?.forms ?? []
  if (!nameWords.some(({ word }) => forms.some(([part = '']) => word.startsWith(part)))) return false
  return findSearchMarks({ terms: [term] }, name).length > 0
}
