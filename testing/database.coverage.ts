// Runs after the suites (scripts/test.ts): what the embedded database was asked by the whole application.
import { beforeAll, expect, test } from 'vitest'
import { collectionScans, readRecordings } from '#server/embedded-db/recording/recording.ts'
import { outsideSurface } from '#server/embedded-db/recording/surface.ts'
import { databaseRecordFolder } from './database-recording.ts'

const isEmbedded = !process.env.MONGODB_URI

/** Queries that may read a whole collection, by the beginning of their text, and why. */
const allowedScans = [
  // How many rows an administrator's search finds: words inside names and sentences, which no index can tell.
  'aggregate users {"$or":[{"email":',
  'aggregate audit_events {"$or":[{"actor":',
]

let recording: Awaited<ReturnType<typeof readRecordings>>
beforeAll(async () => {
  if (isEmbedded) recording = await readRecordings(databaseRecordFolder)
})

test.runIf(isEmbedded)('no filter of the application scans a collection', () => {
  expect(recording.queries.length).toBeGreaterThan(20)
  expect(collectionScans(recording, allowedScans)).toEqual([])
})

test.runIf(isEmbedded)('the application sends nothing that the embedded database does not list', () => {
  expect(outsideSurface(recording)).toEqual([])
})
