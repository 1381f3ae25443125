import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createUserRepository } from '#data/users/users.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { loadSecrets } from './secrets.ts'

let database: TestDatabase
let dataDir: string
let folder: string
let file: string

beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-secrets-'))
  folder = join(dataDir, 'secrets')
  file = join(folder, 'master-key')
})
afterEach(async () => {
  await database.drop()
  spawnSync('umount', ['-q', folder])
  await rm(dataDir, { recursive: true, force: true })
})

/** Stores what a server leaves behind: a key, and a user whose password depends on it. */
async function fillDatabase() {
  await load()
  await createUserRepository(database.connection).insert({
    email: 'somebody@example.org',
    username: 'somebody',
    usernameKey: 'somebody',
    firstName: '',
    lastName: '',
    role: 'user',
    isActive: true,
    isVerified: true,
    passwordHash: 'hash',
    mustChangePassword: false,
    passwordExpiresAt: null,
    twoFactorGrace: null,
    createdAt: new Date(),
  })
}

const load = () =>
  loadSecrets({
    dataDir,
    facts: createSystemFactRepository(database.connection),
    users: createUserRepository(database.connection),
  })

test('creates a key once, readable by its owner alone, and leaves no other file', async () => {
  const first = await load()
  expect(await load()).toEqual(first)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['master-key'])
})

test('servers that start at once agree on one key', async () => {
  const [first, ...others] = await Promise.all([load(), load(), load()])
  for (const other of others) expect(other).toEqual(first)
})

test.each(['', 'c2hvcnQ=\n'])('an incomplete file (%j) is replaced where no data depends on the key', async (text) => {
  await mkdir(folder)
  await writeFile(file, text)
  const secrets = await load()
  expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32)
  expect(await load()).toEqual(secrets)
})

test.each(['', 'c2hvcnQ=\n'])('an incomplete file (%j) is refused where data depends on the key', async (text) => {
  await fillDatabase()
  await writeFile(file, text)
  await expect(load()).rejects.toThrow(
    `${file} is incomplete, but the database was made with a key. Restore the file from a backup.`,
  )
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('a missing file is refused where data depends on the key', async () => {
  await fillDatabase()
  await rm(file)
  await expect(load()).rejects.toThrow(/is missing, but the database was made with a key/)
})

test('a file that cannot be read is named, with what it must be', async () => {
  await mkdir(file, { recursive: true })
  await expect(load()).rejects.toThrow(
    `${file} cannot be read (EISDIR). It must belong to the user that Awaz runs as, with mode 0600.`,
  )
})

test('an incomplete file is replaced after a start that failed before there was any user', async () => {
  const first = await load()
  await writeFile(file, '')
  const second = await load()
  expect(second).not.toEqual(first)
  expect(await load()).toEqual(second)
})

test('a key other than that of the database is refused', async () => {
  await fillDatabase()
  await writeFile(file, `${randomBytes(32).toString('base64')}\n`)
  await expect(load()).rejects.toThrow(/is not the one this database was made with/)
})

test('a first start on a full disk leaves no key, and the next one with space creates it', async (context) => {
  await mkdir(folder)
  const mount = (...options: string[]) => spawnSync('mount', [...options, folder]).status
  if (mount('-t', 'tmpfs', '-o', 'size=4k', 'tmpfs') !== 0) {
    return context.skip('This machine lets no test mount a file system.')
  }
  await writeFile(join(folder, 'filler'), Buffer.alloc(4096))
  await expect(load()).rejects.toThrow(/ENOSPC/)
  expect(await readdir(folder)).toEqual(['filler'])
  mount('-o', 'remount,size=1m')
  await load()
  expect(await readdir(folder)).toContain('master-key')
})
