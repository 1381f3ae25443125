import { isDeepStrictEqual } from 'node:util'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { RecordingRecord } from '../recordings/recording-record.ts'
import { toEntry, type JobFindings } from './entries.ts'
import { libraryEntryModel, type LibraryEntryDocument } from './library-entry-model.ts'

/**
 * What is wrong with an entry: it does not exist (`none`), it was `emptied`, its version is `later` than that of its recording, or
 * its content differs from the recording (`outdated`).
 */
export type LibraryEntryProblem = 'none' | 'emptied' | 'later' | 'outdated'

/** Returns the entries of recordings by their ids. */
export async function readEntries(
  connection: DatabaseConnection,
  ids: string[],
): Promise<Map<string, LibraryEntryDocument>> {
  const found = await libraryEntryModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } })
    .batchSize(Math.max(1, ids.length))
    .lean<LibraryEntryDocument[]>()
  return new Map(found.map((entry) => [entry._id.toHexString(), entry]))
}

/**
 * Returns what is wrong with the entry of a recording that is live or in the trash, or null. The entry must be read before its recording:
 * then a later version in the entry is an error, not a race.
 *
 * @param found what its jobs and texts say if the recording is live, null if it is in the trash
 */
export function findEntryProblem(
  entry: LibraryEntryDocument | undefined,
  recording: RecordingRecord,
  found: (JobFindings & { text: string }) | null,
): LibraryEntryProblem | null {
  if (!entry) return found ? 'none' : null
  if (entry.deletedAt) return 'emptied'
  if (entry.version > recording.version) return 'later'
  if (!found) return entry.isRemoved ? null : 'outdated'
  const { hits, countedText, countedKeywords } = entry
  if (countedKeywords === '' || countedText !== found.text) return 'outdated'
  const expected = toEntry(recording, found, { hits, countedText, countedKeywords })
  return isDeepStrictEqual({ ...entry, ...expected }, entry) ? null : 'outdated'
}
