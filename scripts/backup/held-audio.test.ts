import { randomBytes } from 'node:crypto'
import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { verifyBackup } from './read/verify-backup.ts'
import { listBackupEvents, openInstance, runAwaz } from './testing/command-line.ts'
import { openServer, optionsFor, storeRecording } from './testing/instance.ts'

test.each(['folder', 'gridfs'] as const)(
  'a backup that holds sound which is missing on the server now names it (%s)',
  async (audioStore) => {
    const server = await openServer({ config: { audioStore } })
    const { id: ownerId } = await server.createUser()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push(await storeRecording(server, ownerId, randomBytes(1_000 + n)))
    const folder = await temporaryFolder()
    const first = await backUpToFolder(folder, optionsFor(server))
    expect(first.manifest.heldAudio).toEqual([])
    const [missing = ''] = ids
    await server.services.work.audioStore.remove({ id: missing, extension: 'wav' })
    const { manifest, record, path } = await backUpToFolder(folder, optionsFor(server))
    expect(manifest.heldAudio).toEqual([missing])
    expect([manifest.missingAudio, record.faultyRecordings, record.recordings]).toEqual([[], 0, 3])
    const verified = await verifyBackup({ path })
    expect([verified.problems, verified.checked?.manifest.heldAudio]).toEqual([[], [missing]])
  },
)

test('awaz backup says how many recordings are missing or cut short on the server, which it holds whole', async () => {
  const { server, env } = await openInstance({ count: 3, sizeBytes: 1_000 })
  const folder = await temporaryFolder()
  const { manifest } = await backUpToFolder(folder, optionsFor(server))
  const [missing = '', short = '', changed = ''] = manifest.files
    .filter(({ blob }) => blob !== undefined)
    .map(({ path }) => path.replace('data/', ''))
  await rm(join(server.config.dataDir, missing))
  await truncate(join(server.config.dataDir, short), 10)
  // The size is unchanged: only awaz doctor --all reads the content.
  await writeFile(join(server.config.dataDir, changed), randomBytes(1_000))
  const made = await runAwaz(['backup', folder, '--unencrypted'], env)
  expect([made.status, made.stderr]).toEqual([
    0,
    expect.stringMatching(
      /and 3 recordings to .*\n.*\n {2}The sound of 2 recordings is missing on this server, or has another size than what was uploaded: .*\n {2}This backup holds it whole, from earlier ones\. .*restore \S+\.tar --all-damaged/,
    ),
  ])
  const [event] = await listBackupEvents(server)
  expect(event?.details).toContain('3 recordings (2 missing or of another size on the server)')
})
