import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { listRecords } from '../backup/store/backup-record.ts'
import { openServer, storeRecording } from '../backup/testing/instance.ts'
import { isDue, startBackupSchedule } from './backup-schedule.ts'

const at = (text: string) => new Date(`${text}:00`)

test.each([
  ['2026-11-26T02:00', '2026-11-25T02:00', true],
  ['2026-11-26T01:59', '2026-11-25T02:00', false],
  ['2026-11-26T12:00', '2026-11-26T02:00', false],
  ['2026-11-26T12:00', '2026-11-26T01:50', true],
  ['2026-11-30T01:00', '2026-11-26T02:00', true],
])('with BACKUP_TIME=02:00, at %s after a backup of %s one is due: %s', (now, newest, expected) => {
  expect(isDue({ time: '02:00', newest: at(newest), now: at(now) })).toBe(expected)
})

test('the first backup is due at once', () => {
  expect(isDue({ time: '02:00', newest: undefined, now: at('2026-11-26T12:00') })).toBe(true)
})

async function openInstance() {
  const server = await openServer()
  const { id } = await server.createUser()
  await storeRecording(server, id, randomBytes(1_000))
  const folder = await temporaryFolder()
  const env = {
    ...process.env,
    DATA_DIR: server.config.dataDir,
    MONGODB_URI: server.databaseUri,
    BACKUP_DIR: folder,
    BACKUP_UNENCRYPTED: 'true',
  }
  return { folder, env }
}

test('a backup is made once a day, and a missed one at the start', async () => {
  const { folder, env } = await openInstance()
  let aheadMs = 0
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  const server = Promise.withResolvers<void>()
  const problems: string[] = []
  const onProblem = (line: string) => problems.push(line)
  const options = { folder, time: '00:00', env, onLine: onProblem, onInfo: onLine, ready: server.promise, checkMs: 50 }
  const schedule = startBackupSchedule({ ...options, now: () => new Date(Date.now() + aheadMs) })
  onTestFinished(() => schedule.stop(10_000))
  server.resolve()
  const made = () => lines.filter((line) => line.startsWith('Backed up')).length
  await vi.waitUntil(() => made() === 1, { timeout: 30_000 })
  expect((await listRecords(folder)).records).toHaveLength(1)
  aheadMs = 24 * 3_600_000
  await vi.waitUntil(() => made() === 2, { timeout: 30_000 })
  await vi.waitUntil(() => lines.at(-1)?.includes('old backup'), { timeout: 30_000 })
  expect(problems).toEqual([])
})

test('a backup that was made with a wrong clock does not stop the schedule, and is reported once', async () => {
  const { folder, env } = await openInstance()
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  // By this clock every backup is from the future, as after a clock was set back.
  const now = () => new Date(Date.now() - 48 * 3_600_000)
  const schedule = startBackupSchedule({ folder, time: '00:00', env, onLine, onInfo: onLine, checkMs: 20, now })
  onTestFinished(() => schedule.stop(10_000))
  await vi.waitUntil(() => lines.filter((line) => line.startsWith('Backed up')).length === 2, { timeout: 30_000 })
  await schedule.stop(10_000)
  const reported = lines.filter((line) => line.includes('is dated in the future')).map((line) => line.split(' ')[0])
  expect(reported[0]).toMatch(/^awaz-\d{8}T\d{6}Z.*\.json$/)
  expect(reported).toEqual([...new Set(reported)])
})

test('no backup is tried before the server is ready, which makes the keys of a new instance', async () => {
  const { folder, env } = await openInstance()
  const lines: string[] = []
  const ready = new Promise<void>(() => undefined)
  const options = { folder, time: '00:00', env: { ...env, DATA_DIR: folder }, checkMs: 1, ready }
  const schedule = startBackupSchedule({
    ...options,
    onLine: (line) => lines.push(line),
    onInfo: (line) => lines.push(line),
  })
  await schedule.stop(10_000)
  expect(lines).toEqual([])
})

const ignore = () => undefined

test('stopping ends a running backup, and none is left', async () => {
  const { folder, env } = await openInstance()
  const encrypted = { ...env, BACKUP_UNENCRYPTED: 'false', BACKUP_PASSPHRASE: 'takes scrypt some seconds' }
  const schedule = startBackupSchedule({ folder, time: '00:00', env: encrypted, onLine: ignore, onInfo: ignore })
  await vi.waitUntil(async () => (await readdir(folder)).includes('backup.lock'), { timeout: 30_000 })
  await schedule.stop(100)
  expect((await listRecords(folder)).records).toEqual([])
})

test('a failed backup is reported, and tried again after an hour, not before', async () => {
  const { env } = await openInstance()
  const folder = join(await temporaryFolder(), 'a-file')
  await writeFile(folder, 'no folder')
  let now = new Date()
  const lines: string[] = []
  const failures = () => lines.filter((line) => line.startsWith('The daily backup failed')).length
  const onLine = (line: string) => lines.push(line)
  const schedule = startBackupSchedule({
    folder,
    time: '00:00',
    env: { ...env, BACKUP_DIR: folder },
    onLine,
    onInfo: ignore,
    checkMs: 50,
    now: () => now,
  })
  onTestFinished(() => schedule.stop(10_000))
  await vi.waitUntil(() => failures() === 1, { timeout: 30_000 })
  expect(lines.join('\n')).toContain(`No backup can be written to ${folder}: the folder is a file.`)
  now = new Date(now.getTime() + 61 * 60_000)
  await vi.waitUntil(() => failures() === 2, { timeout: 30_000 })
})
