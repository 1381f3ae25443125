import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemFactModel } from '#data/system/system-fact-model.ts'
import { readZip } from '#testing/read-zip.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { createCommandRunner } from './command.ts'

let folder: string
let server: TestServer
let admin: SignedInUser
const token = () => admin.accessToken

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-backups-'))
  const backup = { folder, time: undefined, passphrase: undefined, recipients: [], isUnencrypted: true }
  const keep = { daily: 7, weekly: 4, monthly: 12 }
  const commandEnv = {
    // No mail server or public address is set: the checks would connect to them.
    BACKUP_DIR: folder,
    BACKUP_UNENCRYPTED: 'true',
    AWAZ_COMMAND: '/opt/awaz/awaz',
    // A rehearsal reads a restored backup before it has indexes, so its commands are not checked for index use.
    AWAZ_DB_RECORD_DIR: '',
  }
  server = await startTestServer({ config: { backup: { ...backup, keep } }, commandEnv })
  admin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function listAudit(action: string) {
  const events = createAuditEventRepository(server.services.database.connection)
  return (await events.list({ search: '', action, outcome: '' }, { page: 1, perPage: 10 })).events
}

async function readChecks() {
  return (await server.call(api.upkeep.checks, { token: token() })).data
}

async function readBackups() {
  return (await server.call(api.upkeep.backups, { token: token() })).data
}

test('a super admin runs the doctor, whose findings stay', async () => {
  expect(await readChecks()).toEqual({ last: null, run: null, is_busy: false })
  const { status, data } = await server.call(api.upkeep.startChecks, { token: token() })
  expect([status, data.run.kind, data.run.ended_at]).toEqual([202, 'checks', null])
  const refused = await server.call(api.upkeep.startChecks, { token: token() })
  expect(refused.error.code).toBe('conflict')
  const archive = await server.call(api.upkeep.makeSupportArchive, { token: token() })
  expect(archive.error.code).toBe('conflict')
  await expect.poll(readChecks, { timeout: 60_000 }).toMatchObject({ run: { outcome: 'done' }, is_busy: false })
  const { last, run } = await readChecks()
  expect(run).toMatchObject({ stage: 'backups', done: 20, total: 20 })
  const finding = last?.findings.find(({ code }) => code === 'backup.none')
  expect(finding).toMatchObject({ severity: 'problem', command: '/opt/awaz/awaz backup' })
  expect(await listAudit('system.check')).toMatchObject([{ actor: admin.email, outcome: 'success' }])
})

test('a finding names its recordings as the audit trail does: by owner, and to those who may read them by name', async () => {
  const { connection } = server.services.database
  const other = await server.createSignedIn()
  const { id: own } = await storeDocument(connection, { ownerId: admin.id, name: 'mine.wav' })
  const { id: foreign } = await storeDocument(connection, { ownerId: other.id, name: 'secret.wav' })
  // Otherwise a rehearsal would report their audio as missing.
  onTestFinished(async () => void (await recordingModel(connection).deleteMany({ _id: { $in: [own, foreign] } })))
  const recordings = [own, foreign, 'f'.repeat(24)]
  const finding = {
    code: 'audio.missing',
    severity: 'problem',
    title: 'T',
    what: 'W.',
    why: 'Y.',
    remedy: 'R.',
    recordings,
  }
  const value = JSON.stringify({ at: new Date().toISOString(), findings: [finding] })
  await systemFactModel(connection).updateOne({ _id: 'upkeep_checks' }, { $set: { value } }, { upsert: true })
  const { data } = await server.call(api.upkeep.checks, { token: token() })
  expect(data.last?.findings[0]?.recordings).toMatchObject([
    { id: own, name: 'mine.wav', owner: admin.email, can_open: true },
    { id: foreign, name: null, owner: other.email, can_open: false },
  ])
})

test('a super admin sees the backups and rehearses one that the settings open', async () => {
  const env = { ...process.env, DATA_DIR: server.config.dataDir, MONGODB_URI: server.databaseUri }
  const options = { signal: new AbortController().signal, timeoutMs: 60_000 }
  const made = await createCommandRunner(env)(['backup', folder, '--unencrypted'], options)
  expect(made).toMatchObject({ status: 0 })
  const { backups, ...rest } = await readBackups()
  expect(rest).toEqual({ folder, problem: null, unreadable: 0, last: null, run: null, is_busy: false })
  const [backup] = backups
  if (!backup) throw new Error('There is no backup')
  expect(backup).toMatchObject({ encryption: 'none', can_open: true, rehearsed: null, recordings: 0 })
  expect(backup.rehearse_command).toBe(`/opt/awaz/awaz backup rehearse ${join(folder, backup.name)}`)

  const { status, data } = await server.call(api.upkeep.startRehearsal, {
    params: { name: backup.name },
    token: token(),
  })
  expect([status, data.run.subject]).toEqual([202, backup.name])
  const again = await server.call(api.upkeep.startRehearsal, { params: { name: backup.name }, token: token() })
  expect(again.error.code).toBe('conflict')
  await expect.poll(readBackups, { timeout: 60_000 }).toMatchObject({ run: { outcome: 'done' }, is_busy: false })
  const after = await readBackups()
  expect(after.backups[0]?.rehearsed).toMatchObject({ is_passed: true })
  expect(after.last?.checks.find(({ code }) => code === 'sign_in')).toMatchObject({ found: 'works', is_passed: true })
  expect(await listAudit('system.rehearse')).toMatchObject([{ actor: admin.email, target: backup.name }])

  const ended = await server.call(api.upkeep.cancelRun, { params: { id: data.run.id }, token: token() })
  expect(ended.data.run.outcome).toBe('done')
  const unknown = await server.call(api.upkeep.cancelRun, { params: { id: 'f'.repeat(24) }, token: token() })
  expect(unknown.error.code).toBe('not_found')
  const name = 'awaz-20200101T000000Z.tar'
  const missing = await server.call(api.upkeep.startRehearsal, { params: { name }, token: token() })
  expect(missing.error.code).toBe('not_found')
})

test('a super admin gets a support archive with the list of its files', async () => {
  const { data } = await server.call(api.upkeep.makeSupportArchive, { token: token() })
  const content = Buffer.from(data.base64, 'base64')
  expect(content).toHaveLength(data.size_bytes)
  const files = readZip(content)
  expect(data.files).toEqual([...files].map(([name, text]) => ({ name, size_bytes: Buffer.byteLength(text) })))
  expect(data.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['README.txt', 'doctor.json']))
  expect(await listAudit('support.create')).toHaveLength(1)
  expect(await listAudit('system.support_archive')).toMatchObject([{ actor: admin.email, target: data.file_name }])
})
