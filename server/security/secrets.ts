import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '#data/durable-files.ts'
import type { SystemFactRepository } from '#data/system/system-facts.ts'
import type { UserRepository } from '#data/users/users.ts'

/** The keys of the server, each derived from one master key (HKDF, RFC 5869) for a separate purpose. */
export interface Secrets {
  accessTokens: Buffer
  pepper: Buffer
  /** AES-256 key for TOTP secrets. */
  totp: Buffer
  /** AES-256 key for webhook secrets. */
  webhooks: Buffer
  /** AES-256 key for the secrets of sign-in providers, and for their data stored during a sign-in. */
  signInProviders: Buffer
  /** HMAC key for reset codes, lockout keys and the like. */
  codes: Buffer
}

const keyBytes = 32
const fingerprintName = 'key_fingerprint'
const restoreIt = 'Restore the file from a backup.'

interface SecretsDeps {
  dataDir: string
  facts: SystemFactRepository
  users: Pick<UserRepository, 'hasAny'>
}

/** Thrown when this host's key cannot be read, or is not the one with which the data in the database was encrypted. */
export class KeyMismatchError extends Error {
  override name = 'KeyMismatchError'
}

/**
 * Reads `DATA_DIR/secrets/master-key`, or creates it (0600) for a new database. The database stores the key's fingerprint: with a
 * lost or foreign key, no password or second factor would work, so the server refuses to start. An incomplete file, as left by a full
 * disk, is replaced if no data depends on its key. Throws `KeyMismatchError`.
 */
export async function loadSecrets({ dataDir, facts, users }: SecretsDeps): Promise<Secrets> {
  const file = masterKeyPath(dataDir)
  let found = await readKey(file)
  if (typeof found === 'string') {
    if (await isKeyNeeded({ facts, users }))
      throw new KeyMismatchError(`${file} is ${found}, but the database was made with a key. ${restoreIt}`)
    await facts.remove(fingerprintName)
    await createKey(file, found)
    found = await readKey(file)
  }
  if (typeof found === 'string') throw new KeyMismatchError(`${file} is ${found}. ${restoreIt}`)
  if ((await facts.setOnce(fingerprintName, fingerprintOf(found))) !== fingerprintOf(found)) throw foreignKey(file)
  return deriveAll(found)
}

/**
 * Reads the keys of an existing database without writing anything. Throws `KeyMismatchError` if the file is missing, incomplete or
 * unreadable, or if its key is not that of the database.
 */
export async function openSecrets({ dataDir, facts }: Pick<SecretsDeps, 'dataDir' | 'facts'>): Promise<Secrets> {
  const file = masterKeyPath(dataDir)
  const found = await readKey(file)
  if (typeof found === 'string') throw new KeyMismatchError(`${file} is ${found}. ${restoreIt}`)
  const known = await facts.find(fingerprintName)
  if (known !== null && known !== fingerprintOf(found)) throw foreignKey(file)
  return deriveAll(found)
}

/** Returns the path of the file from which all keys are derived. */
export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'secrets', 'master-key')
}

function foreignKey(file: string): KeyMismatchError {
  return new KeyMismatchError(`The key in ${file} is not the one this database was made with. Restore that key.`)
}

function fingerprintOf(master: Buffer): string {
  return derive(master, 'fingerprint').toString('base64url').slice(0, 22)
}

function deriveAll(master: Buffer): Secrets {
  return {
    accessTokens: derive(master, 'access-tokens'),
    pepper: derive(master, 'pepper'),
    totp: derive(master, 'totp'),
    webhooks: derive(master, 'webhooks'),
    signInProviders: derive(master, 'sign-in-providers'),
    codes: derive(master, 'codes'),
  }
}

/** Only passwords and second factors need the key: a database without users has neither. */
async function isKeyNeeded({ facts, users }: Omit<SecretsDeps, 'dataDir'>): Promise<boolean> {
  const [hasFingerprint, hasUser] = await Promise.all([facts.has(fingerprintName), users.hasAny()])
  return hasFingerprint && hasUser
}

function derive(master: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `awaz ${use}`, keyBytes))
}

type KeyFileProblem = 'missing' | 'incomplete'

/** Returns the key, or what is wrong with its file: any content other than a key, or none, counts as incomplete. */
async function readKey(file: string): Promise<Buffer | KeyFileProblem> {
  try {
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
    return key.length === keyBytes ? key : 'incomplete'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return 'missing'
    const owner = 'It must belong to the user that Awaz runs as, with mode 0600.'
    throw new KeyMismatchError(`${file} cannot be read (${code || String(error)}). ${owner}`)
  }
}

/**
 * Writes a new key to a temporary file and renames it once it is on disk, so that neither a full disk nor a power failure leaves a
 * partial key. Two processes may start at once: the first to put a key in place wins, and the other reads that key.
 */
async function createKey(file: string, problem: KeyFileProblem): Promise<void> {
  const folder = dirname(file)
  const draft = `${file}.${randomUUID()}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeSynced(draft, `${randomBytes(keyBytes).toString('base64')}\n`)
    if (problem === 'incomplete') await rename(draft, file)
    else await link(draft, file).catch(ignoreExisting)
    await syncPath(folder)
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}
