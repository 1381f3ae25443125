import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { insertUpload, listUploads } from '#data/uploads/uploads.ts'
import { createTestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createSchedule } from './schedule.ts'

test('unfinished uploads that have expired, and files without an upload, are removed; others stay', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { connection } = database
  await ensureIndexes(connection)
  const root = await temporaryFolder()
  const audioStore = await openDiskStore(root)
  const folder = join(root, 'uploads')
  await mkdir(folder)
  const ownerId = newId()
  const [expired, open, stray] = [newId(), newId(), newId()]
  for (const id of [expired, open, stray]) await writeFile(join(folder, `${id}.part`), 'content')
  const facts = { ownerId, name: 'call.wav', extension: 'wav', fingerprint: '', sizeBytes: 100 }
  await insertUpload(connection, { ...facts, id: expired }, -1)
  await insertUpload(connection, { ...facts, id: open }, 3_600_000)
  const log = pino({ level: 'silent' })
  const tasks = createSchedule({ queue: openQueue(connection), audioStore, retentionDays: 0, log })
  await tasks.find(({ name }) => name === 'expire-uploads')?.run()
  expect(await readdir(folder)).toEqual([`${open}.part`])
  expect((await listUploads(connection, ownerId)).map(({ id }) => id)).toEqual([open])
  expect(await connection.collection('uploads').countDocuments({ ownerId: toObjectId(ownerId) })).toBe(1)
})
