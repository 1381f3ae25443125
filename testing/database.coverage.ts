// Runs after the suites (scripts/test.ts): checks the commands that the whole application sent to the embedded database.
import { beforeAll, expect, test } from 'vitest'
import { collectionScans, readRecordings } from '#server/embedded-db/recording/recording.ts'
import { outsideSurface } from '#server/embedded-db/recording/surface.ts'
import { databaseRecordFolder } from './records.ts'

const isEmbedded = !process.env.MONGODB_URI

/** Queries that may read a whole collection, identified by how their text begins, and why. */
const allowedScans = [
  // Counting the rows that an administrator's search finds: no index covers words inside names and sentences.
  'aggregate users {"$or":[{"email":',
  'aggregate audit_events {"$or":[{"actor":',
  'aggregate cases {"name":',
  // The doctor, which an administrator starts, reads everything stored.
  'find users {"twoFactor.secret":',
  'find recordings {"$or":[{"deletedAt":"?"},{"purgeAt":',
  'find jobs {"result":{"$ne":',
  'find line_edits {"data":{"$ne":',
  'find sources {"data":{"$ne":',
]

let recording: Awaited<ReturnType<typeof readRecordings>>
beforeAll(async () => {
  if (isEmbedded) recording = await readRecordings(databaseRecordFolder)
})

test.runIf(isEmbedded)('no filter of the application scans a collection', () => {
  expect(recording.queries.length).toBeGreaterThan(20)
  expect(collectionScans(recording, allowedScans)).toEqual([])
})

test.runIf(isEmbedded)('the application sends only commands that the embedded database supports', () => {
  expect(outsideSurface(recording)).toEqual([])
})
