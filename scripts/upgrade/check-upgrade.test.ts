import { existsSync } from 'node:fs'
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { dataVersion } from '#data/data-version.ts'
import { prepareData } from '#data/prepare-data.ts'
import { createTestDatabase, hasDatabaseClock } from '#testing/database.ts'
import { storeEarlierData } from '#testing/earlier-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runAwaz } from '../backup/testing/command-line.ts'
import { signChecksums } from '../release/write-checksums.ts'
import { checkBackup, checkRestorePoint } from './check-restore-point.ts'
import { findRuntimeProblems, isAtLeast, findUnsupportedSettings } from './check-upgrade.ts'
import { makeKeys } from './testing/keys.ts'
import { makeRelease, uriOf } from './testing/release.ts'
import { describeThisRelease } from './upgrade-info.ts'

const nextMigration = {
  name: 'next-migration',
  dataVersion: dataVersion + 1,
  collection: 'users',
  filter: { lastName: 'Number 1' },
  documentsPerSecond: 1,
}

const withoutRestorePoint = { UPGRADE_WITHOUT_RESTORE_POINT: 'true' }
/** 8 TB, the size of a sparse file. */
const moreThanTheDisk = 2 ** 43

interface CheckOptions {
  env?: NodeJS.ProcessEnv
  isMigrated?: boolean
  /** The size of the database in the data folder, in bytes. Default: the database is in another folder. */
  databaseBytes?: number
  /** Default: the release is unsigned, and that is accepted. */
  options?: string[]
}

/** Runs the check on a test's data. */
async function check(
  folder: string,
  { env, isMigrated = true, databaseBytes, options = ['--unsigned'] }: CheckOptions = {},
) {
  const database = await createTestDatabase()
  const dataDir = await temporaryFolder()
  try {
    await storeEarlierData(database.connection, { users: 3, transcriptions: 2 })
    if (databaseBytes !== undefined) {
      await mkdir(join(dataDir, 'db'))
      await writeFile(join(dataDir, 'db', 'awaz.sqlite'), '')
      await truncate(join(dataDir, 'db', 'awaz.sqlite'), databaseBytes)
    }
    const config = { dataDir, isRestorePointSkipped: true }
    if (isMigrated) await prepareData({ connection: database.connection, config, log: { info: () => undefined } })
    return await runAwaz(['upgrade', '--check', folder, ...options], {
      DATA_DIR: dataDir,
      MONGODB_URI: uriOf(database),
      ...env,
    })
  } finally {
    await database.drop()
  }
}

test('tells the versions, the pending migrations with their time, and that the release is whole', async () => {
  const { migrations, ...rest } = describeThisRelease('9.9.9')
  const folder = await makeRelease({
    ...rest,
    dataVersion: dataVersion + 1,
    migrations: [...migrations, nextMigration],
  })
  const { status, stdout, stderr } = await check(folder, { env: withoutRestorePoint })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^release .*All 4 files are those of the release/m)
  expect(stdout).toMatch(/^versions +\S+ to 9\.9\.9$/m)
  expect(stdout).toMatch(new RegExp(`^data +version ${dataVersion} to ${dataVersion + 1}$`, 'm'))
  expect(stdout).toMatch(/^migration +next-migration: 1 document$/m)
  expect(stdout).toMatch(/^time +about 2 s/m)
  expect(stdout).toMatch(/^restore point +none is made: UPGRADE_WITHOUT_RESTORE_POINT is set$/m)
  expect(stdout).toContain('The upgrade can be made')
  expect(stdout).not.toContain('store-sort-names')
})

test('data from before migrations has all of them before it', async () => {
  const { status, stdout } = await check(await makeRelease(), { isMigrated: false, env: withoutRestorePoint })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^migration +store-sort-names: 3 documents$/m)
  expect(stdout).toMatch(/^migration +summarize-transcriptions: 2 documents$/m)
})

test.runIf(hasDatabaseClock)('an embedded database in another folder gets a restore point too', async () => {
  const { status, stdout } = await check(await makeRelease(), { isMigrated: false })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^restore point +is made; .* because the database lies outside DATA_DIR$/m)
})

test.runIf(hasDatabaseClock)('too little room is a reason against it, unless no restore point is wanted', async () => {
  const large = { isMigrated: false, databaseBytes: moreThanTheDisk }
  const { status, stdout, stderr } = await check(await makeRelease(), large)
  expect([status, stderr]).toEqual([1, expect.stringContaining('There is no room for the restore point')])
  expect(stdout).toMatch(/^restore point +needs \d+ MB; \d+ MB are free$/m)
  expect((await check(await makeRelease(), { ...large, env: withoutRestorePoint })).status).toBe(0)
})

test('with MongoDB a backup of the last day has to be known', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { plan, problem } = await checkBackup(database.connection)
  expect(plan).toBe('none is made of MongoDB; it needs a backup of the last 24 hours')
  expect(problem).toContain('no backup of the last 24 hours is known. Make one with `awaz backup`')
  await createAuditEventRepository(database.connection).insert({
    at: new Date(),
    action: 'backup.create',
    outcome: 'success',
    actorId: null,
    actor: 'command line',
    target: '',
    details: '',
    ip: '',
    requestId: '',
  })
  expect(await checkBackup(database.connection)).toEqual({
    plan: 'none is made of MongoDB; there is a backup of the last 24 hours',
  })
})

test('nothing stored needs no restore point', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const config = { dataDir: await temporaryFolder(), isRestorePointSkipped: false }
  expect((await checkRestorePoint(database.connection, config)).plan).toContain('nothing has been stored yet')
})

test('a damaged release is not looked into further', async () => {
  const folder = await makeRelease()
  await writeFile(join(folder, 'RELEASE'), 'another')
  const { status, stdout, stderr } = await check(folder)
  expect([status, stderr]).toEqual([1, expect.stringContaining('RELEASE is not the file of the release.')])
  expect(stdout).not.toContain('versions')
})

test('what nobody vouches for is neither read nor run', async () => {
  const ran = join(await temporaryFolder(), 'ran')
  const folder = await makeRelease({ nodeScript: `touch ${ran}; echo ${process.version}` })
  const { status, stdout, stderr } = await check(folder, { options: [] })
  expect([status, stderr]).toEqual([1, expect.stringContaining('give --key FILE')])
  expect(stdout).not.toContain('versions')
  expect(existsSync(ran)).toBe(false)
})

test('a release that the given key signed is looked into', async () => {
  const folder = await makeRelease()
  const { publicFile, privateFile } = await makeKeys()
  await signChecksums(folder, privateFile)
  const { status, stdout } = await check(folder, { options: ['--key', publicFile] })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^release .*Its signature is by the given key/m)
  expect(stdout).toMatch(/^versions +\S+ to 9\.9\.9$/m)
})

test('a release cannot send operators to the database', async () => {
  const { migrations } = describeThisRelease('9.9.9')
  const operator = { ...nextMigration, filter: { $where: 'while (true);' } }
  const { status, stderr } = await check(await makeRelease({ migrations: [...migrations, operator] }))
  expect([status, stderr]).toEqual([1, expect.stringContaining('cannot read its file upgrade.json')])
})

test('its Node is started without the settings of this installation, and only for a while', async () => {
  const given = join(await temporaryFolder(), 'environment')
  const folder = await makeRelease({ nodeScript: `env > ${given}; echo ${process.version}` })
  const { status } = await check(folder, { env: { SMTP_URL: 'smtp://user:password@mail.example' } })
  expect(status).toBe(0)
  expect(await readFile(given, 'utf8')).not.toContain('SMTP_URL')
  const hanging = await makeRelease({ nodeScript: 'exec sleep 600' })
  expect(await findRuntimeProblems(hanging, { timeoutMs: 200 })).toEqual([
    'Its Node does not start on this machine: it did not end within 0.2 s.',
  ])
})

test('another processor, a Node that is too old, forgotten settings and older data are reasons against it', async () => {
  const foreign = await check(await makeRelease({ arch: 'riscv64' }))
  expect([foreign.status, foreign.stderr]).toEqual([1, expect.stringContaining('It was built for linux-riscv64')])
  const old = await makeRelease({
    nodeScript: 'echo v18.1.0',
    dataVersion: 0,
    migrations: [],
    settings: ['DATA_DIR', 'MONGODB_URI'],
  })
  const { status, stderr } = await check(old, { env: { BCRYPT_COST: '12' } })
  expect(status).toBe(1)
  expect(stderr).toContain('Its Node v18.1.0 is older than >=20.12.')
  expect(stderr).toContain('It does not know the setting BCRYPT_COST')
  expect(stderr).toContain(`It is older than the data (version ${dataVersion})`)
})

test('settings count as set by their files too', () => {
  const env = { BCRYPT_COST: '', SMTP_URL_FILE: '/run/secrets/smtp', PORT: '5000', HOME: '/root' }
  const sentences = findUnsupportedSettings({ settings: ['PORT'] }, env)
  expect(sentences).toEqual([expect.stringContaining('SMTP_URL')])
})

test('versions are compared by their numbers', () => {
  const cases = ['v20.12.0', 'v24.1.0', 'v20.9.3', 'v9.99.0'].map((version) => isAtLeast(version, '>=20.12'))
  expect(cases).toEqual([true, true, false, false])
})
