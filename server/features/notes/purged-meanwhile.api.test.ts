import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { toObjectId } from '#data/ids.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { reviewedHitsModel } from '#data/reviewed-hits/reviewed-hits.ts'
import { createTestDatabase, hasDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { openSteppedDatabase, type SteppedDatabase } from '#testing/stepped-database.ts'
import { createNotes } from './service.ts'

let database: TestDatabase
let stepped: SteppedDatabase
let stores: { queue: Queue; audioStore: AudioStore }
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'awaz-audio-'))
  stores = { queue: openQueue(database.connection), audioStore: await openDiskStore(folder) }
  if (hasDatabaseClock) stepped = await openSteppedDatabase(database)
})
afterAll(async () => {
  if (hasDatabaseClock) await stepped.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(hasDatabaseClock)(
  'marking hits of a recording that is deleted for good at any moment of it answers that there is no recording',
  async () => {
    const outcomes: string[] = []
    for (let number = 1; ; number += 1) {
      const { ownerId, id } = await storeDocument(database.connection)
      const recording = await findRecording(database.connection, ownerId, id)
      if (!recording) throw new Error('The recording was not stored')
      let code = 'marked'
      const mark = async () => {
        const notes = createNotes({ connection: stepped.queue.connection })
        await notes.review(recording, { hits: ['threats:1200:1:bomb'], isReviewed: true }).catch((error: unknown) => {
          ;({ code } = error as { code: string })
        })
      }
      if (!(await stepped.runWith(number, mark, () => removeRecording(stores, ownerId, id)))) break
      outcomes.push(code)
      expect(await reviewedHitsModel(database.connection).countDocuments({ _id: toObjectId(id) })).toBe(0)
    }
    expect(outcomes.length).toBeGreaterThan(2)
    expect(new Set(outcomes)).toEqual(new Set(['not_found']))
  },
)
