import { findSearchMarks, type SearchTerm } from '#contract/search-query.ts'
import type { SearchableRecording } from '#data/search/searchable-recordings.ts'
import { readLines } from '#data/search/postings.ts'
import type { ReadQuery } from './read-query.ts'
import { intersect, subtract, unite } from './sorted-lists.ts'
import { findTermLines } from './term-lines.ts'

/** What matches in a recording. */
export interface RecordingMatch {
  /** Whether one line, or the name, has all terms; otherwise they are in different places. */
  isInOneLine: boolean
  isNameFound: boolean
  /** The numbers of the lines: those with all terms, or else those with any. */
  lines: number[]
}

interface MatchOptions {
  /** Whether names count: they have no speaker, language or category. */
  hasNames: boolean
  /** Returns the lines of a recording that may match; undefined for all. */
  allowedLines?: ((recording: SearchableRecording) => number[]) | undefined
}

/** Returns what matches a query in a recording; undefined where a term is missing. */
export function matchRecording(
  query: ReadQuery,
  recording: SearchableRecording,
  { hasNames, allowedLines }: MatchOptions,
): RecordingMatch | undefined {
  const { ordinal } = recording
  const { terms } = query
  const inName = query.nameTerms.map((term) => hasNames && hasTerm(recording, term))
  const isPossible = terms.every((term, index) => inName[index] || term.ordinals.has(ordinal))
  if (!isPossible) return undefined
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

/** Returns what removes the lines that a filter or an excluded term leaves out. */
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
  // Most names have none of the words: looking for one is cheap.
  const parts = first?.forms.map((form) => form[0] ?? '') ?? []
  if (!nameWords.some(({ word }) => parts.some((part) => word.startsWith(part)))) return false
  return findSearchMarks({ terms: [term] }, name).length > 0
}
