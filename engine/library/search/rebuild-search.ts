import { readDatabaseTime } from '#data/database-time.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { derivedRecords, listStoredRecordings, type OwnedRecording } from '#data/library/derived-records.ts'
import { listGone } from '#data/recordings/lifecycle.ts'
import { createIndexMaintenance } from '#data/search/maintain-index.ts'
import {
  endRebuild,
  forgetFingerprint,
  readRebuildPosition,
  readSearchStatus,
  saveRebuildPosition,
} from '#data/search/rebuild.ts'
import { removeSearchEntries } from '#data/search/write-entry.ts'
import { deriveRecording } from '../derive-recording.ts'
import { createSearchEntryWriter } from './write-search-entry.ts'

interface RebuildOptions {
  /** Called after each recording with the number of recordings done since this call began. */
  onRecording: (count: number) => void
  /** Ends the rebuild after the recording that is being written. */
  signal: AbortSignal
}

/**
 * Rewrites the search entry of every recording and removes the entries of deleted recordings. It continues where an earlier rebuild was
 * interrupted. Everything stays findable in the meantime, and engines may run. Returns how many recordings were written.
 */
export async function rebuildSearch(queue: Queue, { onRecording, signal }: RebuildOptions): Promise<number> {
  const { connection } = queue
  const maintenance = createIndexMaintenance(connection)
  const startedAt = await readDatabaseTime(connection)
  // Earlier segments may be damaged, so they cannot be merged.
  const relieve: typeof maintenance.relieve = (ownerId, options) =>
    maintenance.relieve(ownerId, { ...options, since: startedAt })
  const writeEntry = createSearchEntryWriter(queue, { relieve })
  let after = await readRebuildPosition(connection)
  let count = 0
  for (;;) {
    const page = await listStoredRecordings(connection, { id: after })
    if (page.length === 0) break
    for (const { id, ownerId } of page) {
      if (signal.aborted) return count
      await forgetFingerprint(connection, { id, ownerId })
      await deriveRecording(queue, [writeEntry], { id, ownerId })
      await saveRebuildPosition(connection, id)
      after = id
      count += 1
      onRecording(count)
    }
  }
  await removeEntriesOfGone(queue)
  for (const { ownerId } of await readSearchStatus(connection)) await maintenance.dropDead(ownerId)
  while (!signal.aborted && (await maintenance.runOnce()));
  await endRebuild(connection)
  return count
}

async function removeEntriesOfGone({ connection }: Queue): Promise<void> {
  let after: OwnedRecording | null = null
  for (;;) {
    const page: OwnedRecording[] = await derivedRecords.search(connection, after)
    const last = page.at(-1)
    if (!last) return
    for (const { id, ownerId } of await listGone(connection, page)) await removeSearchEntries(connection, ownerId, [id])
    after = last
  }
}
