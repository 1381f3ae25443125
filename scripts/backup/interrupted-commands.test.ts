import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from './create/create-backup.ts'
import { listRecords } from './store/backup-record.ts'
import { runAwaz, listBackupEvents, openInstance, startAwaz } from './testing/command-line.ts'
import { optionsFor, storeRecording } from './testing/instance.ts'

test('a backup to standard output whose reader ends fails, is audited, and cleans up', async () => {
  const { server, env } = await openInstance({ count: 100, sizeBytes: 100_000 })
  const child = startAwaz(['backup', '-', '--unencrypted'], env)
  const stderr = text(child.stderr)
  child.stdout.once('data', () => child.stdout.destroy())
  await once(child, 'close')
  expect([child.exitCode, await stderr]).toEqual([1, expect.stringContaining('closed before the end of the backup')])
  expect(await listBackupEvents(server)).toMatchObject([{ outcome: 'failure' }])
  expect(await readdir(join(server.config.dataDir, 'audio'))).not.toContain('.snapshot')
})

test('a backup goes on where nobody reads its progress any more', async () => {
  const { env } = await openInstance({ count: 100, sizeBytes: 100_000 })
  const folder = await temporaryFolder()
  const child = startAwaz(['backup', folder, '--unencrypted'], env)
  child.stderr.once('data', () => child.stderr.destroy())
  await once(child, 'close')
  expect(child.exitCode).toBe(0)
  expect((await listRecords(folder)).records).toHaveLength(1)
})

test.each([
  { command: 'verify', signal: 'SIGINT', options: [], sentence: 'the backup was not verified' },
  { command: 'rehearse', signal: 'SIGHUP', options: ['--scratch'], sentence: 'its files were removed' },
] as const)('$signal ends backup $command with 130 and a sentence', async ({ command, signal, options, sentence }) => {
  const { server, env } = await openInstance({ count: 100, sizeBytes: 100_000 })
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const scratch = await temporaryFolder()
  const child = startAwaz(['backup', command, path, ...options.flatMap((option) => [option, scratch])], env)
  const stderr = text(child.stderr)
  child.stderr.once('data', () => child.kill(signal))
  await once(child, 'close')
  expect([child.exitCode, await stderr]).toEqual([130, expect.stringContaining(sentence)])
  expect(await stderr).not.toContain('AbortError')
  expect(await readdir(scratch)).toEqual([])
})

test('a backup folder that is missing is not created: its disk may not be mounted', async () => {
  const { env } = await openInstance({ count: 0, sizeBytes: 0 })
  const folder = join(await temporaryFolder(), 'mount')
  for (const args of [
    ['backup', folder, '--unencrypted'],
    ['backup', 'prune', folder],
  ]) {
    const { status, stderr } = await runAwaz(args, env)
    expect([status, stderr]).toEqual([1, expect.stringContaining(`The backup folder ${folder} does not exist.`)])
  }
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('a backup is made, and is a success in the audit trail, where deleting old ones fails', async () => {
  const { server, env } = await openInstance({ count: 0, sizeBytes: 0 })
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'blobs'))
  await writeFile(join(folder, 'blobs', 'ff'), 'a file in place of a folder')
  const { status, stderr } = await runAwaz(['backup', folder, '--unencrypted', '--prune'], env)
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('The backup was made, but old ones could not be deleted'),
  ])
  expect((await listRecords(folder)).records).toHaveLength(1)
  expect(await listBackupEvents(server)).toMatchObject([{ outcome: 'success' }])
})

test('newly missing audio is listed and audited, and no old backup is deleted then but by hand', async () => {
  const { server, env: instance } = await openInstance({ count: 1, sizeBytes: 100 })
  const folder = await temporaryFolder()
  const env = { ...instance, BACKUP_KEEP_DAILY: '1', BACKUP_KEEP_WEEKLY: '0', BACKUP_KEEP_MONTHLY: '0' }
  await backUpToFolder(folder, optionsFor(server))
  const { id: ownerId } = await server.createUser()
  const id = await storeRecording(server, ownerId, Buffer.from('lost'))
  await rm(join(server.config.dataDir, 'audio', id.slice(-2), `${id}.wav`))

  const made = await runAwaz(['backup', folder, '--unencrypted', '--prune'], env)
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('Nothing was deleted: more audio is missing')])
  expect((await listRecords(folder)).records).toHaveLength(2)
  const faulty = '1 recordings (the audio of 1 is missing or damaged)'
  expect((await runAwaz(['backup', 'list', folder], env)).stdout).toContain(faulty)
  expect(await listBackupEvents(server)).toMatchObject([{ details: expect.stringContaining(faulty) }])

  const pruned = await runAwaz(['backup', 'prune', folder], env)
  expect([pruned.status, pruned.stdout]).toEqual([0, expect.stringContaining('One old backup deleted (awaz-')])
  expect((await listRecords(folder)).records).toHaveLength(1)
})

test('SIGTERM ends a backup that waits for a database that never answers', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // of a server that listens on an address
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'secrets'))
  await writeFile(join(dataDir, 'secrets', 'master-key'), randomBytes(32).toString('base64'))
  const env = { DATA_DIR: dataDir, MONGODB_URI: `mongodb://127.0.0.1:${port}/awaz` }
  const child = startAwaz(['backup', await temporaryFolder(), '--unencrypted'], env)
  const stderr = text(child.stderr)
  await once(silent, 'connection')
  child.kill('SIGTERM')
  await once(child, 'close')
  expect([child.exitCode, await stderr]).toEqual([130, expect.stringContaining('no backup was made')])
}, 15_000)
