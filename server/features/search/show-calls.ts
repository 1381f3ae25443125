import type { FoundCall } from '#contract/endpoints/search.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findRecordings } from '#data/recordings/recordings.ts'
import type { SearchableRecording } from '#data/search/searchable-recordings.ts'
import { readLinesOfRecordings } from '#data/search/stored-lines.ts'
import type { RecordingMatch } from './match-recording.ts'
import type { ShownQueries } from './spell-names.ts'
import { showLines } from './show-lines.ts'

/** Returns calls as results show them, without those that were deleted or rewritten since they were matched. */
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
    // Of a later ordinal the lines have other numbers.
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
