import type { FoundLine } from '#contract/endpoints/search.ts'
import { findSearchMarks, type SearchQuery } from '#contract/search-query.ts'
import type { StoredLine } from '#data/search/stored-lines.ts'
import type { RecordingMatch } from './match-recording.ts'

/** Returns the first matching lines of a recording as a person sees them: its name, then lines in their order. */
export function showLines(
  { name, lines }: { name: string; lines: StoredLine[] },
  { isNameFound, lines: numbers }: RecordingMatch,
  { query, maxLines }: { query: SearchQuery; maxLines: number },
): FoundLine[] {
  const shown = numbers.slice(0, maxLines).flatMap((number) => {
    const line = lines[number]
    return line
      ? [
          {
            ...line,
            marks: findSearchMarks(query, line.text),
            before: besides(line, lines[number - 1]),
            after: besides(line, lines[number + 1]),
          },
        ]
      : []
  })
  return isNameFound ? [showName(name, query), ...shown].slice(0, maxLines) : shown
}

function showName(name: string, query: SearchQuery): FoundLine {
  const marks = findSearchMarks(query, name)
  const rest = { speaker: null, language: null, before: null, after: null }
  return { kind: 'name', start: 0, end: 0, text: name, marks, ...rest }
}

/** Returns the text of a line beside another; null where it belongs to another text, such as another translation. */
function besides(line: StoredLine, other: StoredLine | undefined): string | null {
  if (!other || line.kind === 'note' || other.kind !== line.kind) return null
  return line.kind === 'translation' && other.language !== line.language ? null : other.text
}
