import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { connectDatabase } from '#data/connect.ts'
import { readZip } from '#testing/read-zip.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { listBackupEvents, runAwaz } from '../backup/testing/command-line.ts'
import { openRestored } from '../backup/testing/instance.ts'
import { openDoctorInstance, type DoctorInstance } from '../doctor/testing/instance.ts'
import { copyStopped } from '../doctor/testing/stopped-copy.ts'
import { plant, planted, plantedSettings, plantEngine, writeWrongSettings } from './testing/planted.ts'

const names = [
  'README.txt',
  'data.json',
  'doctor.json',
  'failures.json',
  'host.json',
  'metrics.json',
  'models.json',
  'settings.json',
  'work.json',
]

let instance: DoctorInstance
let forbidden: string[]
beforeAll(async () => {
  instance = await openDoctorInstance()
  await writeFile(join(instance.dataDir, 'db', 'uri'), `${instance.server.databaseUri}\n`)
  forbidden = await plant(instance)
})
afterAll(() => instance.close())

/** Returns the settings of the instance, without the MONGODB_URI of the tests. */
function environment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { dataDir, backupDir, config, server } = instance
  return {
    ...Object.fromEntries(Object.entries(plantedSettings).map(([name, { value }]) => [name, value])),
    DATA_DIR: dataDir,
    MODELS_DIR: config.modelsDir,
    PORT: new URL(server.url).port,
    BACKUP_DIR: backupDir,
    BACKUP_TIME: '02:00',
    LOG_LEVEL: 'warn',
    RETENTION_DAYS: '365',
    MONGODB_URI: '',
    ...changes,
  }
}

async function makeArchive(changes: NodeJS.ProcessEnv = {}) {
  await plantEngine(instance)
  const path = join(await temporaryFolder(), 'support.zip')
  const result = await runAwaz(['support', '--out', path], environment(changes))
  const files = result.status === 0 ? readZip(await readFile(path)) : new Map<string, string>()
  return { ...result, path, files }
}

function parse(files: Map<string, string>, name: string): unknown {
  return JSON.parse(files.get(name) ?? 'null')
}

/** Returns the forms that a text may have in an archive: plain, escaped for JSON or a URL, in base64 or in hex. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) =>
    bytes.toString(encoding).replace(/=+$/, ''),
  )
  // The last character also encodes bits of the text that follows.
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), ...encoded.map((one) => one.slice(0, -1))]
}

/** Returns each forbidden text in the files, and everything that looks like an e-mail address, an IP address or a URL. */
function findLeaks(files: Map<string, string>, texts: readonly string[]): string[] {
  return [...files].flatMap(([name, content]) => {
    const lower = content.toLowerCase()
    const found = texts.filter((text) => formsOf(text).some((form) => lower.includes(form.toLowerCase())))
    const withoutTimes = content.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    const addresses =
      withoutTimes.match(/[\w.+-]+@[\w-]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}/gi) ?? []
    const schemes = content.match(/\b(?:https?|smtps?|ldaps?|mongodb)(?:\+srv)?:\/\/\S+/gi) ?? []
    return [...found, ...addresses, ...schemes].map((leak) => `${name}: ${leak}`)
  })
}

test('no planted word, name or address is in the archive of an instance that runs', async () => {
  const { status, stdout, files, path } = await makeArchive()
  expect(status).toBe(0)
  expect([...files.keys()].toSorted()).toEqual(names)
  expect(findLeaks(files, forbidden)).toEqual([])
  for (const name of names) expect(stdout).toMatch(new RegExp(`^${name} +\\d+ bytes$`, 'm'))
  expect(stdout).toContain(`Written to ${path}. It is a ZIP of plain texts`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await listBackupEvents(instance.server, 'support.create')).toMatchObject([
    { outcome: 'success', actor: 'command line', details: expect.stringMatching(/^SHA-256 [0-9a-f]{64}$/) },
  ])
})

/** Returns the texts of every document. */
async function readStoredTexts(): Promise<string[]> {
  const { connection } = instance.server.services.database
  const texts = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value)
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one)
  }
  for (const { name } of (await connection.db?.listCollections().toArray()) ?? [])
    for (const document of await connection.collection(name).find().sort({ _id: 1 }).toArray())
      collect(JSON.parse(JSON.stringify(document)))
  return [...texts]
}

/** Whether a text is content (a name, words, an address, a sentence, an id or a hash), not a code, a version or a time. */
function isContent(text: string): boolean {
  const isCode = /^(?:[a-z_.]*|[\d.]*|\d{4}-\d\d-\d\dT[\d:.]*Z?|whisper\.cpp.*)$/
  const isOurs = isCode.test(text) || text === 'Provider' // the instance's sign-in provider has this name, which is also a word of ours
  return text.length >= 6 && !isOurs
}

test('no text that the database holds is in the archive', async () => {
  const texts = await readStoredTexts()
  const isStored = (text: string) => texts.some((one) => one.toLowerCase().includes(text.toLowerCase()))
  expect(Object.values(planted).filter((text) => !isStored(text))).toEqual([planted.modelNote]) // stored in a model catalogue
  const { files } = await makeArchive()
  expect(findLeaks(files, texts.filter(isContent))).toEqual([])
})

test('what helps is in the archive', async () => {
  const { files } = await makeArchive()
  expect(parse(files, 'settings.json')).toMatchObject({
    SMTP_URL: { from: 'environment', value: 'set' },
    SPEECH_MODEL: { from: 'environment', value: 'set' },
    LOG_LEVEL: { from: 'environment', value: 'warn' },
    RETENTION_DAYS: { from: 'environment', value: 365 },
    MAIL_FROM: { from: 'environment', value: 'set' },
    BACKUP_UNENCRYPTED: { from: 'default', value: false },
    DATA_DIR: { from: 'environment', value: 'set' },
    SPEECH_SERVER_MODEL: { from: 'default', value: 'default' },
    MONGODB_URI: { from: 'default', value: null },
  })
  expect(parse(files, 'failures.json')).toMatchObject([{ kind: 'diarize', code: 'unreadable_audio', count: 1 }])
  expect(parse(files, 'models.json')).toMatchObject({
    installed: expect.arrayContaining([
      expect.objectContaining({ id: 'demo-speech' }),
      expect.objectContaining({ id: 'imported', engine: 'whisper.cpp', content_hash: expect.any(String) }),
    ]),
  })
  expect(parse(files, 'work.json')).toMatchObject({ engines: [{ model: 'imported', runtime: 'whisper.cpp' }] })
  expect(parse(files, 'data.json')).toMatchObject({
    documents: expect.arrayContaining([{ collection: 'webhooks', count: 2 }]),
    backups: { last_success: expect.any(String), last_rehearsal: expect.any(String) },
  })
  expect(parse(files, 'doctor.json')).toMatchObject({
    is_complete: true,
    findings: expect.arrayContaining([
      expect.objectContaining({ code: 'audio.missing', amounts: [{ amount: 1, unit: 'recording' }] }),
      expect.objectContaining({ code: 'watch_folder.unusable', mentions: ['ENOENT'] }),
    ]),
  })
  expect(parse(files, 'metrics.json')).toMatchObject({
    from: 'server',
    series: expect.arrayContaining([
      { name: 'awaz_transcribed_seconds_total', labels: { model: 'masked', language: 'ps' }, value: 5 },
    ]),
  })
})

test('an instance that is stopped gets one with the metrics of its database, and the entry of the audit trail', async () => {
  const dataDir = await copyStopped(instance)
  const { status, files } = await makeArchive({ DATA_DIR: dataDir })
  expect(status).toBe(0)
  expect([...files.keys()].toSorted()).toEqual(names)
  expect(findLeaks(files, [...forbidden, dataDir])).toEqual([])
  expect(parse(files, 'metrics.json')).toMatchObject({
    from: 'database',
    series: expect.arrayContaining([{ name: 'awaz_jobs_failed_last_day', labels: {}, value: 1 }]),
  })
  const { uri, dbName } = await openRestored(dataDir)
  const database = await connectDatabase({ mongodbUri: uri }, { dbName })
  const made = await createAuditEventRepository(database.connection).findLastTime('support.create', 'success')
  await database.close()
  expect(made?.getTime()).toBeGreaterThan(Date.now() - 60_000)
})

test('settings with which Awaz does not start are told by their names', async () => {
  const file = join(await temporaryFolder(), 'settings')
  const wrong = await writeWrongSettings(file)
  const { status, stderr, files } = await makeArchive({ AWAZ_ENV_FILE: file, SMTP_URL: undefined })
  expect(status).toBe(0)
  expect([...files.keys()].toSorted()).toEqual(['README.txt', 'doctor.json', 'host.json', 'settings.json'])
  expect(findLeaks(files, [...forbidden, ...wrong])).toEqual([])
  expect(parse(files, 'doctor.json')).toMatchObject({ is_complete: false, findings: [{ code: 'settings.invalid' }] })
  expect(stderr).toBe(
    'Settings are not valid, so the database was not read: see awaz doctor.\nThe audit trail has no entry for this archive.\n',
  )
})

test('a database that cannot be reached is a finding', async () => {
  const uri = 'mongodb://lantern:Courier-Pass-78@127.0.0.1:9/awaz'
  const { status, files } = await makeArchive({ MONGODB_URI: uri })
  expect(status).toBe(0)
  expect(findLeaks(files, [...forbidden, uri, 'Courier-Pass-78'])).toEqual([])
  expect(parse(files, 'settings.json')).toMatchObject({ MONGODB_URI: { from: 'environment', value: 'set' } })
  expect(parse(files, 'doctor.json')).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ code: 'database.unreachable' })]),
  })
})

test('a file that exists is never overwritten, and one that cannot be written is refused at once', async () => {
  const path = join(await temporaryFolder(), 'support.zip')
  await writeFile(path, 'mine')
  const { status, stderr } = await runAwaz(['support', '--out', path], environment())
  expect([status, stderr]).toEqual([
    1,
    `${path} exists already. Nothing is overwritten: name another file with --out.\n`,
  ])
  expect(await readFile(path, 'utf8')).toBe('mine')
  const nowhere = join(await temporaryFolder(), 'none', 'support.zip')
  const refused = await runAwaz(['support', '--out', nowhere], environment())
  expect([refused.status, refused.stderr]).toEqual([1, `${nowhere} could not be written.\n`])
})
