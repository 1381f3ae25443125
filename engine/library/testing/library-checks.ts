import { pino, type Logger } from 'pino'
import { alertModel } from '#data/alerts/alert-model.ts'
import { alertRunModel } from '#data/alerts/alert-run-model.ts'
import { createWatchListRepository } from '#data/alerts/watch-lists.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { toObjectId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { readLibraryCheck } from '#data/library/library-checks.ts'
import { settleLibrary } from '#testing/library.ts'
import type { LibraryStep } from '../changed-recording.ts'
import { checkLibrary } from '../check/check-library.ts'
import { createLibrary } from '../library.ts'

/** Checks the whole library and returns the result. */
export async function runCheck(
  queue: Queue,
  { steps = createLibrary(queue).steps, log = pino({ level: 'silent' }) }: { steps?: LibraryStep[]; log?: Logger } = {},
) {
  for await (const _part of checkLibrary({ queue, steps, log }));
  return readLibraryCheck(queue.connection)
}

/** Reduces the entry of a recording to what was left by the bug that mistook a restoration for a deletion. */
export async function emptyEntry(connection: DatabaseConnection, ownerId: string, recordingId: string): Promise<void> {
  const _id = toObjectId(recordingId)
  const emptied = { foldedName: '', sortName: '', languages: [], tags: [], countedText: '', countedKeywords: '' }
  await libraryEntryModel(connection).updateOne(
    { _id },
    {
      $set: { ...emptied, isRemoved: true, deletedAt: new Date(), version: Number.MAX_SAFE_INTEGER },
      $inc: { revision: 1 },
    },
  )
  await alertModel(connection).deleteMany({ ownerId: toObjectId(ownerId), recordingId: _id })
  await alertRunModel(connection).deleteOne({ _id })
}

/** Makes the owner's only watch list start after all jobs, and applies it to the library with a scan. */
export async function scanLibrary(connection: DatabaseConnection, ownerId: string): Promise<void> {
  const lists = createWatchListRepository(connection)
  const findList = async () => {
    const [list] = await lists.list(ownerId)
    if (!list) throw new Error('There is no watch list')
    return list
  }
  const { id } = await findList()
  const later = { $set: { activeSince: new Date(Date.now() + 60_000) } }
  await connection.collection('watch_lists').updateOne({ _id: toObjectId(id) }, later)
  await lists.startScan(ownerId, id)
  // Alerts from a scan are changes, which the follower handles before it continues the scan.
  while ((await findList()).scan?.state !== 'done') await settleLibrary(connection)
}
