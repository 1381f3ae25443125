import type { FoundCall, FoundLine } from '#contract/endpoints/search.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findRecordings } from '#data/recordings/recordings.ts'
import type { SearchableRecording } from '#data/search/searchable-recordings.ts'
import { readLinesOfRecordings, type StoredLine } from '#data/search/stored-lines.ts'
import { findSearchMarks, type SearchQuery } from '#contract/search-query.ts'
import type { RecordingMatch } from './match-recording.ts'
import type { ShownQueries } from './spell-names.ts'

/** Returns the first matching lines of a recording as shown to a person: its name, then lines in order. */
function showLines(
  { name, lines }: { name: string; lines: StoredLine[] },
  { isNameFound, lines: numbers }: RecordingMatch,
  { queries, maxLines }: { queries: ShownQueries; maxLines: number },
): FoundLine[] {
  const shown = numbers.slice(0, maxLines).flatMap((number) => {
    const line = lines[number]
    return line
      ? [
          {
            ...line,
            ...markText(line.text, queries.typed, queries.inLines),
            before: besides(line, lines[number - 1]),
            after: besides(line, lines[number + 1]),
          },
        ]
      : []
  })
  return isNameFound ? [showName(name, queries), ...shown].slice(0, maxLines) : shown
}

function showName(name: string, { typed, inNames }: ShownQueries): FoundLine {
  const marks = markText(name, typed, inNames)
  const rest = { speaker: null, language: null, before: null, after: null }
  return { kind: 'name', start: 0, end: 0, text: name, ...marks, ...rest }
}

/** Returns where a text contains what was searched for, and which of these places are other spellings. */
function markText(text: string, typed: SearchQuery, spelled: SearchQuery): Pick<FoundLine, 'marks' | 'spelled'> {
  const marks = findSearchMarks(spelled, text)
  if (spelled === typed) return { marks, spelled: [] }
  const asTyped = findSearchMarks(typed, text)
  return { marks, spelled: marks.filter(([from, to]) => !asTyped.some((mark) => mark[0] < to && from < mark[1])) }
}

/** Returns the text of a neighboring line; null if it belongs to another text, such as a different translation. */
function besides(line: StoredLine, other: StoredLine | undefined): string | null {
  if (!other || line.kind === 'note' || line.kind === 'speaker' || other.kind !== line.kind) return null
  return line.kind === 'translation' && other.language !== line.language ? null : other.text
}

/** Returns calls as shown in results, without those that have been deleted or rewritten since they were matched. */
export async function showCalls(
  connection: DatabaseConnection,
  ownerId: string,
  found: { recording: SearchableRecording; match: RecordingMatch }[],
  options: { queries: ShownQueries; maxLines: number },
): Promise<FoundCall[]> {
  const ids = found.map(({ recording }) => recording.id)
  const [visible, stored] = await Promise.all([
    findRecordings(connection, ownerId, ids),
    readLinesOfRecordings(connection, ownerId, ids),
  ])
  return found.flatMap(({ recording, match }) => {
    const shown = visible.get(recording.id)
    // Under a later ordinal, the lines have different numbers.
    const own = stored.find(({ id, ordinal }) => id === recording.id && ordinal === recording.ordinal)
    if (!shown || (!own && match.lines.length > 0)) return []
    const { name, createdAt, durationMs } = shown
    return {
      recording: {
        id: recording.id,
        name,
        created_at: createdAt.toISOString(),
        duration: durationMs / 1000,
        language: recording.language,
      },
      is_in_one_line: match.isInOneLine,
      total: match.lines.length + Number(match.isNameFound),
      lines: showLines({ name, lines: own?.lines ?? [] }, match, options),
    }
  })
}
