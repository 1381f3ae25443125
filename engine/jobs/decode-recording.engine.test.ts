import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '#data/ids.ts'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { createTestDatabase } from '#testing/database.ts'
import { makeDialogue } from '#testing/uploads.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeRecording } from './decode-recording.ts'
import type { JobTask, JobContext } from './job-task.ts'

const mib = 1024 * 1024

test('decodes a recording when enough space for uploads remains, and otherwise fails with the reason', async () => {
  const database = await createTestDatabase()
  try {
    const folder = await temporaryFolder()
    const audioStore = await openDiskStore(join(folder, 'audio'))
    const [id, ownerId] = [newId(), newId()]
    const shard = join(folder, 'audio', id.slice(-2))
    await mkdir(shard)
    await writeFile(join(shard, `${id}.wav`), makeDialogue())
    const measured = { durationMs: 2_000, channels: 2, isStereo: true, peaks: [] }
    const file = { name: 'call.wav', extension: 'wav', sizeBytes: 1, sha256: 'x' }
    await insertRecording(database.connection, { id, ownerId, ...file, ...measured })
    const workDir = join(folder, 'job-a')
    await mkdir(workDir)

    function decodeWith(freeBytes: number) {
      const store = { ...audioStore, freeBytes: async () => freeBytes }
      const context = { queue: openQueue(database.connection), audioStore: store, maxAudioMs: 3_600_000 } as JobContext // what decoding needs of them
      const task = {
        job: { recordingId: id, ownerId },
        workDir,
        signal: new AbortController().signal,
      } as JobTask<'transcribe'> // likewise
      return decodeRecording(context, task)
    }

    await expect(decodeWith(256 * mib)).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/it takes 1 MB$/),
    })
    expect((await readdir(workDir)).filter((name) => name.startsWith('pcm'))).toEqual([])
    expect(await decodeWith(257 * mib)).toMatchObject({ durationMs: 2_000, channelCount: 2 })
  } finally {
    await database.drop()
  }
})
