import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { lastChecksFact } from '#server/features/system/upkeep/checks.ts'
import { lacks } from '#testing/needs.ts'
import { mountSmallDisk } from '#testing/small-disk.ts'
import { openCliDatabase } from '../admin/database.ts'
import { roundCount } from '#testing/rounds.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { verifyBackup } from './read/verify-backup.ts'
import { listRecords } from './store/backup-record.ts'
import { runAwaz, listBackupEvents, openInstance, startAwaz } from './testing/command-line.ts'
import { passphrase } from './testing/instance.ts'
import { blobPath } from './store/blob-store.ts'

test('backup, list, verify and restore by the command line', { timeout: 240_000 }, async () => {
  const { server, env } = await openInstance({ count: 3, sizeBytes: 10_000 })
  const folder = await temporaryFolder()
  const file = join(await temporaryFolder(), 'identity')
  const identity = await generateX25519Identity()
  await writeFile(file, `# of the drill\n${identity}\n`)
  const facts = createSystemFactRepository(server.services.database.connection)
  await facts.set(lastChecksFact, JSON.stringify({ at: new Date().toISOString(), findings: [] }))
  const refused = await runAwaz(['backup', folder], env)
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('nothing says how to encrypt it')])

  const made = await runAwaz(['backup', folder, '--recipient', await identityToRecipient(identity)], env)
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('and 3 recordings to')])
  const [event] = await listBackupEvents(server)
  expect(event).toMatchObject({ outcome: 'success', actor: 'command line' })

  const listed = await runAwaz(['backup', 'list', folder], env)
  const name = /^awaz-\S+\.tar\.age/.exec(listed.stdout)?.[0] ?? ''
  const path = join(folder, name)
  const verified = await runAwaz(['backup', 'verify', path, '--identity', file], env)
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('is whole')])
  const unopened = await runAwaz(['backup', 'verify', path], env)
  expect([unopened.status, unopened.stdout]).toEqual([0, expect.stringContaining('were not opened')])

  const rehearsed = await runAwaz(['backup', 'rehearse', path, '--identity', file], env)
  expect([rehearsed.status, rehearsed.stdout]).toEqual([0, expect.stringMatching(/ok {2}audio files, at random/)])
  expect(rehearsed.stdout).toContain(`${path} restores: `)
  expect(rehearsed.stdout).toMatch(/ok {2}documents in \d+ empty collections +0 +0/)
  expect(rehearsed.stdout).not.toMatch(/documents in \w+ +0 +0/)
  expect(await listBackupEvents(server, 'backup.rehearse')).toMatchObject([{ outcome: 'success', details: path }])

  const dataDir = await temporaryFolder()
  expect(await facts.find(lastChecksFact)).not.toBeNull()
  const restored = await runAwaz(['restore', path, '--identity', file], { DATA_DIR: dataDir })
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining('3 recordings')])
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['audio', 'db', 'secrets']))
  const again = await runAwaz(['restore', path, '--identity', file], { DATA_DIR: dataDir })
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('is not empty')])
  expect(await findFact(dataDir, lastChecksFact)).toBeNull()
})

/** Reads a stored fact of a stopped instance. */
async function findFact(dataDir: string, name: string): Promise<string | null> {
  const { uri, stop } = await openCliDatabase(readConfig({ DATA_DIR: dataDir }), { canCreate: false })
  const database = await connectDatabase({ mongodbUri: uri })
  try {
    return await createSystemFactRepository(database.connection).find(name)
  } finally {
    await database.close()
    await stop()
  }
}

test.skipIf(lacks('mount'))('a disk that fills up ends a backup with one sentence, and leaves none', async () => {
  const { server, env } = await openInstance({ count: 3, sizeBytes: 400_000 })
  const folder = await temporaryFolder()
  mountSmallDisk(folder, '1m')
  const { status, stderr } = await runAwaz(['backup', folder, '--unencrypted'], env)
  const [sentence] = stderr.trim().split('\n').slice(-1)
  expect([status, sentence]).toEqual([1, expect.stringMatching(/^The disk of \S+ is full\. Make room there/)])
  expect(stderr).not.toContain('    at ')
  expect((await listRecords(folder)).records).toEqual([])
  const [event] = await listBackupEvents(server)
  expect(event).toMatchObject({ outcome: 'failure', details: expect.stringMatching(/^The disk of \S+ is full\.$/) })
})

test('a rehearsal of a damaged archive stands in the audit trail as one that failed', async () => {
  const { env, server } = await openInstance({ count: 1, sizeBytes: 100 })
  const folder = await temporaryFolder()
  expect((await runAwaz(['backup', folder, '--unencrypted'], env)).status).toBe(0)
  const { records } = await listRecords(folder)
  const path = join(folder, records[0]?.archive.name ?? '')
  const archive = await readFile(path)
  await writeFile(path, archive.subarray(0, archive.length / 2))
  expect((await runAwaz(['backup', 'rehearse', path], env)).status).toBe(1)
  expect(await listBackupEvents(server, 'backup.rehearse')).toMatchObject([{ outcome: 'failure', details: path }])
})

test('a passphrase comes from a file, by an option or by the settings', async () => {
  const { env } = await openInstance({ count: 1, sizeBytes: 100 })
  const folder = await temporaryFolder()
  const file = join(await temporaryFolder(), 'passphrase')
  await writeFile(file, `${passphrase}\n`)
  expect((await runAwaz(['backup', folder, '--passphrase-file', file], env)).status).toBe(0)
  const { records } = await listRecords(folder)
  const path = join(folder, records[0]?.archive.name ?? '')
  const verified = await runAwaz(['backup', 'verify', path], { ...env, BACKUP_PASSPHRASE_FILE: file })
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('is whole')])
})

test('a backup to standard output is a file that restores', async () => {
  const { env } = await openInstance({ count: 2, sizeBytes: 10_000 })
  const path = join(await temporaryFolder(), 'stream.tar')
  const child = startAwaz(['backup', '-', '--unencrypted'], env)
  const output = child.stdout.pipe(createWriteStream(path))
  await Promise.all([once(child, 'close'), once(output, 'finish')])
  expect(child.exitCode).toBe(0)
  const restored = await runAwaz(['restore', path], { DATA_DIR: await temporaryFolder() })
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining('2 recordings')])
})

test('restore --skip-damaged names the recordings it left out', async () => {
  const { env } = await openInstance({ count: 3, sizeBytes: 10_000 })
  const folder = await temporaryFolder()
  await runAwaz(['backup', folder, '--unencrypted'], env)
  const [record] = (await listRecords(folder)).records
  await writeFile(blobPath(folder, record?.blobs[0]?.name ?? ''), 'something else')
  const args = ['restore', join(folder, record?.archive.name ?? '')]
  const dataDir = await temporaryFolder()
  const refused = await runAwaz(args, { DATA_DIR: dataDir })
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--skip-damaged')])
  const restored = await runAwaz([...args, '--skip-damaged'], { DATA_DIR: dataDir })
  expect([restored.status, restored.stdout]).toEqual([
    0,
    expect.stringMatching(/2 recordings[^]*recording [0-9a-f]{24}\n/),
  ])
})

test('Ctrl-C ends a backup with 130 and leaves none', async () => {
  const { server, env } = await openInstance({ count: 300, sizeBytes: 20_000 })
  const folder = await temporaryFolder()
  const child = startAwaz(['backup', folder, '--unencrypted'], env)
  const stderr = text(child.stderr)
  child.stderr.once('data', () => child.kill('SIGINT'))
  await once(child, 'close')
  expect([child.exitCode, await stderr]).toEqual([130, expect.stringContaining('no backup was made')])
  expect((await listRecords(folder)).records).toEqual([])
  expect(await listBackupEvents(server)).toMatchObject([{ outcome: 'failure', details: 'interrupted' }])
})

const kills = roundCount(50)

test(
  'a backup that is killed at any moment is not listed, or is whole; the next one finishes',
  { tags: ['rounds'], timeout: 60_000 + kills * 10_000 },
  async () => {
    const { server, env } = await openInstance({ count: 200, sizeBytes: 5_000 })
    const folder = await temporaryFolder()
    const startedMs = performance.now()
    expect((await runAwaz(['backup', await temporaryFolder(), '--unencrypted'], env)).status).toBe(0)
    const wholeMs = performance.now() - startedMs
    const random = seededRandom(31)
    for (let round = 0; round < kills; round++) {
      const child = startAwaz(['backup', folder, '--unencrypted', '--prune'], env)
      const closed = once(child, 'close')
      await Promise.race([wait(wholeMs * random()), closed])
      child.kill('SIGKILL')
      await closed
      const { records, unreadable } = await listRecords(folder)
      expect(unreadable).toEqual([])
      for (const { archive } of records) {
        expect((await verifyBackup({ path: join(folder, archive.name) })).problems).toEqual([])
      }
    }
    const last = await runAwaz(['backup', folder, '--unencrypted', '--prune'], env)
    expect([last.status, last.stderr]).toEqual([0, expect.stringContaining('200 recordings')])
    expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await readdir(join(server.config.dataDir, 'audio'))).not.toContain('.snapshot')
  },
)
