import { once } from 'node:events'
import { chmod, chown, open, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { toObjectId } from '#data/ids.ts'
import { lacks } from '#testing/needs.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { listBackupEvents, runAwaz, startAwaz } from '../backup/testing/command-line.ts'
import { databaseChecks, hostChecks } from './checks.ts'
import { openDoctorInstance, type DoctorInstance } from './testing/instance.ts'
import { copyStopped } from './testing/stopped-copy.ts'

const checkCount = hostChecks.length + databaseChecks.length

const Findings = z.array(
  z.strictObject({
    code: z.string(),
    severity: z.enum(['problem', 'warning', 'note']),
    title: z.string(),
    what: z.string(),
    why: z.string(),
    remedy: z.string(),
    command: z.string().optional(),
    fixed: z.string().optional(),
    recordings: z.array(z.string()).optional(),
  }),
)

let instance: DoctorInstance
beforeAll(async () => {
  instance = await openDoctorInstance()
  // As npm start writes it.
  await writeFile(join(instance.dataDir, 'db', 'uri'), `${instance.server.databaseUri}\n`)
})
afterAll(() => instance.close())

/** Returns the settings of the instance, without the MONGODB_URI of the tests. */
function environment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { dataDir, backupDir, server } = instance
  return {
    DATA_DIR: dataDir,
    PORT: new URL(server.url).port,
    MODELS_DIR: join(dataDir, 'models'),
    PUBLIC_URL: server.url,
    BACKUP_DIR: backupDir,
    BACKUP_TIME: '02:00',
    BACKUP_PASSPHRASE: 'correct horse battery staple',
    MONGODB_URI: '',
    ...changes,
  }
}

function codesOf(stdout: string, severities = ['problem', 'warning']): string[] {
  return Findings.parse(JSON.parse(stdout)).flatMap(({ code, severity }) => (severities.includes(severity) ? code : []))
}

test.skipIf(lacks('ffmpeg'))('a healthy instance that runs gets one line', async () => {
  await instance.examine({ codes: [] }) // records that an engine is running
  const { status, stdout, stderr } = await runAwaz(['doctor'], environment())
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `No problems found (${String(checkCount)} checks).\n`,
    stderr: '',
  })
})

test.skipIf(lacks('ffmpeg'))(
  'a healthy instance that is stopped gets one line, and its notes with --verbose',
  async () => {
    const dataDir = await copyStopped(instance)
    const { status, stdout, stderr } = await runAwaz(['doctor', '--verbose'], environment({ DATA_DIR: dataDir }))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Checked: settings, .*backups\.\n/)
    expect(stdout).toMatch(/NOTE {2}models\.demo\n/)
    expect(stdout.endsWith(`\nNo problems found (${String(checkCount)} checks).\n`)).toBe(true)
    expect(await readdir(join(dataDir, 'db'))).not.toContain('awaz.sqlite-wal') // the database that it started has exited
  },
)

test.skipIf(lacks('ffmpeg'))('--fix mends what it can, says so, and leaves an entry in the audit trail', async () => {
  await instance.examine({ codes: [] })
  await chmod(join(instance.dataDir, 'secrets', 'master-key'), 0o644)
  const { status, stdout } = await runAwaz(['doctor', '--fix'], environment())
  expect(status).toBe(0)
  expect(stdout).toMatch(/^FIXED {2}files\.readable\n/)
  expect(stdout.endsWith(`\n\nNo problems found (${String(checkCount)} checks). 1 fixed.\n`)).toBe(true)
  expect(await listBackupEvents(instance.server, 'doctor.fix')).toMatchObject([
    { outcome: 'success', actor: 'command line', details: 'files.readable' },
  ])
})

test.skipIf(process.getuid?.() !== 0)('--fix is refused to another user than that of the data', async () => {
  const dataDir = await copyStopped(instance)
  await chown(dataDir, 65_534, 65_534)
  const { status, stderr } = await runAwaz(['doctor', '--fix'], environment({ DATA_DIR: dataDir }))
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^Only the user that .* belongs to may use --fix\.\n$/)])
})

test('a damaged file of a stopped database is found', async () => {
  const dataDir = await copyStopped(instance)
  const file = await open(join(dataDir, 'db', 'awaz.sqlite'), 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(64 * 1024, 0x5a), 0, 64 * 1024, Math.floor(size / 2))
  await file.close()
  const { status, stdout } = await runAwaz(['doctor', '--json'], environment({ DATA_DIR: dataDir }))
  expect(status).toBe(1)
  expect(codesOf(stdout)).toContain('database.damaged')
})

test.skipIf(lacks('ffmpeg'))(
  'a database file that is none is found, and what needs no database is checked',
  async () => {
    const dataDir = await copyStopped(instance)
    await writeFile(join(dataDir, 'db', 'awaz.sqlite'), 'x'.repeat(8192))
    await rm(join(dataDir, 'tmp'), { recursive: true, force: true })
    await writeFile(join(dataDir, 'tmp'), '')
    const { status, stdout } = await runAwaz(['doctor', '--json'], environment({ DATA_DIR: dataDir }))
    expect(status).toBe(1)
    expect(codesOf(stdout).toSorted()).toEqual(['database.damaged', 'disk.unwritable'])
  },
)

test('a terminal shows name and owner of a recording without sound, and JSON its id only', async () => {
  const { server, ownerId } = instance
  const { connection } = server.services.database
  const { id } = await storeDocument(connection, { ownerId, name: 'call of the bridge.wav' })
  onTestFinished(async () => {
    await instance.collection('recordings').deleteOne({ _id: toObjectId(id) })
  })
  const terminal = await runAwaz(['doctor'], environment())
  expect(terminal.stdout).toMatch(
    new RegExp(`${id}: call of the bridge\\.wav, recording of \\S+@\\S+, uploaded \\d{4}-[-\\d: ]+ UTC\n`),
  )
  const { stdout } = await runAwaz(['doctor', '--json'], environment())
  const found = Findings.parse(JSON.parse(stdout)).find(({ code }) => code === 'audio.missing')
  expect(found?.recordings).toEqual([id])
  expect(stdout).not.toContain('bridge')
})

test('MongoDB that is down is found within seconds', async () => {
  const { status, stdout } = await runAwaz(
    ['doctor', '--json'],
    environment({ MONGODB_URI: 'mongodb://127.0.0.1:9/awaz' }),
  )
  expect(status).toBe(1)
  expect(codesOf(stdout)).toContain('database.unreachable')
})

test('a MongoDB that is too old is a finding that names both versions', async () => {
  const mongo = await startScriptedMongo({
    upstreamUri: instance.server.databaseUri,
    claimed: { version: '4.4.29', maxWireVersion: 9 },
  })
  onTestFinished(() => mongo.close())
  const { status, stdout } = await runAwaz(['doctor', '--json'], environment({ MONGODB_URI: mongo.uri }))
  expect(status).toBe(1)
  const found = Findings.parse(JSON.parse(stdout)).find(({ code }) => code === 'database.too_old')
  expect(found?.what).toBe('MongoDB 4.4.29 is too old: Awaz needs MongoDB 5.0 or later.')
})

test('settings with which Awaz does not start are findings', async () => {
  const missing = join(instance.dataDir, 'missing')
  const changes = { ENGINE_PROCESES: '3', SMTP_URL_FILE: missing }
  const { status, stdout } = await runAwaz(['doctor', '--json'], environment(changes))
  expect(status).toBe(1)
  expect(Findings.parse(JSON.parse(stdout)).map(({ code, what }) => [code, what])).toEqual([
    ['settings.invalid', expect.stringContaining(missing)],
    ['settings.invalid', 'ENGINE_PROCESES is not a setting; did you mean ENGINE_PROCESSES?'],
  ])
  const unread = await runAwaz(['doctor', '--json'], environment({ AWAZ_ENV_FILE: missing }))
  expect([unread.status, codesOf(unread.stdout)]).toEqual([1, ['settings.unreadable']])
})

test('it ends with 2 where it cannot run', async () => {
  const wrongFolder = await runAwaz(['doctor'], environment({ DATA_DIR: await temporaryFolder() }))
  expect([wrongFolder.status, wrongFolder.stdout]).toEqual([2, ''])
  expect(wrongFolder.stderr).toMatch(/^There is no database in .*\. Set DATA_DIR to the server's data folder\n$/)
  const wrongOption = await runAwaz(['doctor', '--everything'], environment())
  expect([wrongOption.status, wrongOption.stdout]).toEqual([2, ''])
  expect(wrongOption.stderr).toMatch(/Unknown option '--everything'/)
})

test('Ctrl-C ends it with 130 and leaves nothing behind', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const child = startAwaz(['doctor'], environment({ PUBLIC_URL: `http://127.0.0.1:${port}` }))
  server.once('connection', () => child.kill('SIGINT')) // and sends no answer
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  server.close()
  expect({ status: child.exitCode, stderr }).toEqual({
    status: 130,
    stderr: 'Interrupted; nothing was changed by the check that was running.\n',
  })
  expect(await instance.collection('system_facts').countDocuments({ value: { $regex: '^[0-9a-f]{64} ' } })).toBe(0)
})
