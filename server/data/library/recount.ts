import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { newId, toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import type { CountedHits } from './entries.ts'
import { libraryEntryModel } from './library-entry-model.ts'
import { libraryOwnerModel } from './library-owner-model.ts'

/** Requests a recount of the hits in all recordings of an owner, because the keywords changed. */
export async function requestRecount(connection: DatabaseConnection, ownerId: string): Promise<void> {
  await libraryOwnerModel(connection).updateOne(
    { _id: toObjectId(ownerId) },
    { $set: { recountKey: newId() } },
    { upsert: true },
  )
}

/** Requests a recount unless one is already due. Returns whether it was newly requested. */
export async function requestMissingRecount(connection: DatabaseConnection, ownerId: string): Promise<boolean> {
  const { modifiedCount, upsertedCount } = await libraryOwnerModel(connection)
    .updateOne({ _id: toObjectId(ownerId), recountKey: null }, { $set: { recountKey: newId() } }, { upsert: true })
    .catch((error: unknown) => {
      // A recount is already due.
      if (isDuplicateKey(error)) return { modifiedCount: 0, upsertedCount: 0 }
      throw error
    })
  return modifiedCount + upsertedCount > 0
}

/** An owner whose hits must be recounted; `key` changes with every change of keywords. */
interface DueRecount {
  ownerId: string
  key: string
}

/** Returns a recount that is due, or null. */
export async function findRecount(connection: DatabaseConnection): Promise<DueRecount | null> {
  const found = await libraryOwnerModel(connection)
    .findOne({ recountKey: { $gt: '' } })
    .sort({ recountKey: 1 })
    .lean()
  return found?.recountKey ? { ownerId: found._id.toHexString(), key: found.recountKey } : null
}

/** Ends a recount, unless keywords changed again. */
export async function endRecount(connection: DatabaseConnection, { ownerId, key }: DueRecount): Promise<void> {
  await libraryOwnerModel(connection).updateOne(
    { _id: toObjectId(ownerId), recountKey: key },
    { $unset: { recountKey: 1 } },
  )
}

/** What the hits of a recording were counted with. */
export interface CountedLibraryEntry {
  id: string
  countedKeywords: string
}

const entriesPerStep = 100

/** Returns the next entries of an owner after `afterId`, in the order of their ids. */
export async function listCountedEntries(
  connection: DatabaseConnection,
  { ownerId, afterId }: { ownerId: string; afterId: string | null },
): Promise<CountedLibraryEntry[]> {
  const found = await libraryEntryModel(connection)
    .find(
      { ownerId: toObjectId(ownerId), ...(afterId !== null && { _id: { $gt: toObjectId(afterId) } }) },
      { countedKeywords: 1 },
    )
    .sort({ _id: 1 })
    .limit(entriesPerStep)
    .lean()
  return found.map(({ _id, countedKeywords }) => ({ id: _id.toHexString(), countedKeywords }))
}

/** Stores the hits of a recording. */
export async function saveHits(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  counted: CountedHits,
): Promise<void> {
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
    { $set: { ...counted, change: await nextChange(connection) }, $inc: { revision: 1 } },
  )
}

/** Records that the hits of a recording cannot be counted with some keywords. */
export async function saveUncountable(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  keywords: string,
): Promise<void> {
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
    { $set: { uncountableKeywords: keywords } },
  )
}
