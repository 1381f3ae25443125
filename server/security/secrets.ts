import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from 'mongoose'
import { userModel } from '#data/users/user-model.ts'
import { systemFactModel } from '#data/system/system-models.ts'

/** Keys of the server, each derived from the one master key (HKDF, RFC 5869) for its own use. */
export interface Secrets {
  accessTokens: Buffer
  pepper: Buffer
  /** AES-256 key of TOTP secrets. */
  totp: Buffer
  /** HMAC key of reset codes, lockout keys and the like. */
  codes: Buffer
}

const keyBytes = 32
const fingerprintName = 'key_fingerprint'
const restoreIt = 'Restore the file from a backup.'

/** Thrown when this host's key is not the one the database was filled with. */
export class KeyMismatchError extends Error {
  override name = 'KeyMismatchError'
}

/**
 * Reads `DATA_DIR/secrets/master-key`, or makes it (0600) for a database that has never seen one. The database keeps the key's
 * fingerprint: a lost or foreign key would leave every password and second factor unusable, so the server refuses to start.
 * A file without a whole key, as a full disk leaves one, is made anew where no database was filled with that key.
 * @throws KeyMismatchError
 */
export async function loadSecrets(dataDir: string, connection: Connection): Promise<Secrets> {
  const facts = systemFactModel(connection)
  const file = join(dataDir, 'secrets', 'master-key')
  let found = await readKey(file)
  if (typeof found === 'string') {
    if (await isKeyNeeded(connection))
      throw new KeyMismatchError(`${file} is ${found}, but the database was made with a key. ${restoreIt}`)
    await facts.deleteOne({ _id: fingerprintName })
    await createKey(file, found)
    found = await readKey(file)
  }
  if (typeof found === 'string') throw new KeyMismatchError(`${file} is ${found}. ${restoreIt}`)
  const master = found
  const fingerprint = derive(master, 'fingerprint').toString('base64url').slice(0, 22)
  const stored = await facts
    .findOneAndUpdate(
      { _id: fingerprintName },
      { $setOnInsert: { value: fingerprint, until: null } },
      { upsert: true, returnDocument: 'after' },
    )
    .lean()
  if (stored?.value !== fingerprint) {
    throw new KeyMismatchError(`The key in ${file} is not the one this database was made with. Restore that key.`)
  }
  return {
    accessTokens: derive(master, 'access-tokens'),
    pepper: derive(master, 'pepper'),
    totp: derive(master, 'totp'),
    codes: derive(master, 'codes'),
  }
}

/** Passwords and second factors are what cannot be read without the key: a database without users has neither. */
async function isKeyNeeded(connection: Connection): Promise<boolean> {
  const [fingerprint, user] = await Promise.all([
    systemFactModel(connection).exists({ _id: fingerprintName }),
    userModel(connection).exists({}),
  ])
  return fingerprint !== null && user !== null
}

function derive(master: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `awaz ${use}`, keyBytes))
}

type KeyFault = 'missing' | 'incomplete'

/** The key, or what is wrong with its file: a file of anything else than a key is incomplete, also one of 0 bytes. */
async function readKey(file: string): Promise<Buffer | KeyFault> {
  try {
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
    return key.length === keyBytes ? key : 'incomplete'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'missing'
    throw error
  }
}

/**
 * Writes a new key beside its place and moves it there once the disk has it, so that a full disk or a lost power leaves no part of a
 * key. Two processes may start at once: the first to put a key in place wins, the other reads it.
 */
async function createKey(file: string, fault: KeyFault): Promise<void> {
  const folder = dirname(file)
  const draft = `${file}.${randomUUID()}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeThrough(draft, `${randomBytes(keyBytes).toString('base64')}\n`)
    if (fault === 'incomplete') await rename(draft, file)
    else await link(draft, file).catch(ignoreExisting)
    await syncFolder(folder)
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
