import { BSON } from 'mongodb'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { jobModel } from '#data/jobs/job-model.ts'
import { packJson } from '#data/jobs/packed-json.ts'
import { userModel } from '#data/users/user-model.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { makeTranscription } from './work.ts'

/** Stores accounts without a sort name and transcriptions without a summary, as Awaz left them before data version 1. */
export async function storeEarlierData(
  connection: DatabaseConnection,
  { users, transcriptions }: { users: number; transcriptions: number },
): Promise<void> {
  const createdAt = new Date('2026-11-20T08:00:00Z')
  const accounts = Array.from({ length: users }, (_, index) => ({
    _id: toObjectId(newId()),
    email: `person-${index}@example.org`,
    username: `person-${index}`,
    usernameKey: `person-${index}`,
    firstName: 'Wajiha',
    lastName: `Number ${index}`,
    role: 'user',
    passwordHash: 'none',
    isActive: true,
    isVerified: true,
    createdAt,
  }))
  const result = await packJson(makeTranscription())
  const jobs = Array.from({ length: transcriptions }, (_, index) => ({
    _id: toObjectId(newId()),
    ownerId: accounts[0]?._id,
    recordingId: null,
    kind: 'transcribe',
    state: 'done',
    params: {},
    workKey: `earlier:${index}`,
    rank: 0,
    attempt: 1,
    result,
    version: 1,
    change: index + 1,
    createdAt,
    finishedAt: createdAt,
  }))
  // Bypasses the models, which would fill in the missing fields.
  const [userCollection, jobCollection] = [userModel(connection).collection, jobModel(connection).collection]
  if (accounts.length > 0) await userCollection.insertMany(accounts)
  if (jobs.length > 0) await jobCollection.insertMany(jobs)
}

/** Returns how many of the documents from `storeEarlierData` have not been migrated. */
export async function countUnmigrated(connection: DatabaseConnection): Promise<number> {
  // Counted here rather than by a query: a test may record all queries, and each must have an index.
  const users = await userModel(connection).find({}, { sortName: 1 }).lean()
  const jobs = await jobModel(connection).find({}, { summary: 1 }).lean()
  return users.filter(({ sortName }) => !sortName).length + jobs.filter(({ summary }) => !summary).length
}

/** Returns how many of the documents from `storeEarlierData` are not migrated in a data file, such as that of a restore point. */
export function countUnmigratedInFile(dataFile: string, dbName: string): number {
  const fields = new Map([
    ['users', 'sortName'],
    ['jobs', 'summary'],
  ])
  const data = openDataFile(dataFile)
  try {
    let count = 0
    for (const { name, documents } of data.collections(dbName)) {
      const field = fields.get(name)
      if (field === undefined) continue
      for (const document of documents()) if (!BSON.deserialize(document)[field]) count += 1
    }
    return count
  } finally {
    data.close()
  }
}
