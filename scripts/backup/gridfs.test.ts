import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { audioCollections } from '#data/audio-store/gridfs/audio-collections.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { createDecrypter } from './read/archive-key.ts'
import { verifyBackup } from './read/verify-backup.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import { openRestored, openServer, optionsFor, readDatabase, storeRecording } from './testing/instance.ts'

const noSteps = { onStage: () => undefined, onProgress: () => undefined }

test('sound in the database is backed up as files: only what is new, and also what is deleted meanwhile', async () => {
  const server = await openServer({ config: { audioStore: 'gridfs', audioCopyBytes: 3_000_000 } })
  const { id: ownerId } = await server.createUser()
  const content = [randomBytes(2_500_000), randomBytes(10), randomBytes(1_000)]
  const ids: string[] = []
  for (const bytes of content.slice(0, 2)) ids.push(await storeRecording(server, ownerId, bytes))
  const folder = await temporaryFolder()
  const options = optionsFor(server)
  await backUpToFolder(folder, options)
  ids.push(await storeRecording(server, ownerId, content[2] ?? Buffer.alloc(0)))
  const deleted = ids[2] ?? ''
  const { queue, audioStore } = server.services.work
  let deletion: ReturnType<typeof removeRecording> | undefined
  const progress = {
    ...options.progress,
    // The first stage after the point in time of the database backup.
    begin: (stage: string) =>
      void (stage.startsWith('Storing') && (deletion = removeRecording({ queue, audioStore }, ownerId, deleted))),
  }
  const { path, manifest, reusedBlobs } = await backUpToFolder(folder, { ...options, progress })
  expect(await deletion).toBe('removed')
  expect([reusedBlobs, manifest.missingAudio, manifest.damagedAudio]).toEqual([2, [], []])
  expect(await queue.connection.collection('audio.files').countDocuments({})).toBe(2)
  expect((await verifyBackup({ path })).problems).toEqual([])

  const dataDir = await temporaryFolder()
  const decrypter = createDecrypter({ passphrase: undefined, identities: [] })
  await restoreBackup({ path, decrypter, dataDir, modelsDir: join(dataDir, 'models'), ...noSteps })
  for (const [n, id] of ids.entries())
    expect(
      (await readFile(join(dataDir, 'audio', id.slice(-2), `${id}.wav`))).equals(content[n] ?? Buffer.alloc(0)),
    ).toBe(true)
  const collections = await readDatabase(await openRestored(dataDir))
  for (const name of audioCollections) expect([name, collections[name]?.documents]).toEqual([name, []])
})
