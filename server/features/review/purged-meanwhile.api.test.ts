import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { findHeard } from '#data/heard/heard.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { findLineMarks } from '#data/line-marks/line-marks.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { createTestDatabase, hasDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { openSteppedDatabase, type SteppedDatabase } from '#testing/stepped-database.ts'
import { createReview, type ReviewService } from './service.ts'

let database: TestDatabase
let stepped: SteppedDatabase
let stores: { queue: Queue; audioStore: AudioStore }
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  folder = await mkdtemp(join(tmpdir(), 'awaz-audio-'))
  stores = { queue: openQueue(database.connection), audioStore: await openDiskStore(folder) }
  if (hasDatabaseClock) stepped = await openSteppedDatabase(database)
})
afterAll(async () => {
  if (hasDatabaseClock) await stepped.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const statements: [name: string, make: (review: ReviewService, recording: RecordingRecord) => Promise<unknown>][] = [
  [
    'verifying a line',
    (review, recording) =>
      review.mark(recording, recording.ownerId, { lines: [{ start: 0, end: 1, text: 'x' }], isVerified: true }),
  ],
  ['hearing a span', (review, recording) => review.addHeard(recording, recording.ownerId, [[[0, 500]]])],
]

test.runIf(hasDatabaseClock).each(statements)(
  '%s of a recording that is deleted for good at any moment of it answers that there is no recording, and leaves nothing',
  async (_name, make) => {
    const outcomes: string[] = []
    for (let number = 1; ; number += 1) {
      const { ownerId, id: recordingId } = await storeDocument(database.connection)
      const recording = await findRecording(database.connection, ownerId, recordingId)
      if (!recording) throw new Error('The recording was not stored')
      let code = 'stored'
      const run = async () => {
        await make(createReview(stepped.queue), recording).catch((error: unknown) => {
          ;({ code } = error as { code: string })
        })
      }
      if (!(await stepped.runWith(number, run, () => removeRecording(stores, ownerId, recordingId)))) break
      outcomes.push(code)
      const owner = { ownerId, recordingId }
      expect((await findLineMarks(database.connection, owner)).revision).toBe(0)
      expect((await findHeard(database.connection, { ...owner, userId: ownerId })).revision).toBe(0)
    }
    // In the last outcome the recording was deleted while the response was being written, after the statement was stored.
    expect(outcomes.slice(0, -1).length).toBeGreaterThan(2)
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set(['not_found']))
  },
)
