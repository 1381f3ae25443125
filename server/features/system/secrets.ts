import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from 'mongoose'
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

/** Thrown when this host's key is not the one the database was filled with. */
export class KeyMismatchError extends Error {
  override name = 'KeyMismatchError'
}

/**
 * Reads `DATA_DIR/secrets/master-key`, or makes it (0600) for a database that has never seen one. The database keeps the key's
 * fingerprint: a lost or foreign key would leave every password and second factor unusable, so the server refuses to start.
 * @throws KeyMismatchError
 */
export async function loadSecrets(dataDir: string, connection: Connection): Promise<Secrets> {
  const facts = systemFactModel(connection)
  const folder = join(dataDir, 'secrets')
  const file = join(folder, 'master-key')
  const known = await facts.findOne({ _id: fingerprintName }).lean()
  let master = await readKey(file)
  if (!master) {
    if (known) throw new KeyMismatchError(`${file} is missing, but the database was made with a key. Restore the file.`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await createKey(file)
    master = await readKey(file)
  }
  if (!master)
    throw new KeyMismatchError(`${file} does not hold a key of ${keyBytes} bytes in base64. Restore the file.`)
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

function derive(master: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `awaz ${use}`, keyBytes))
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
    if (key.length !== keyBytes)
      throw new KeyMismatchError(`${file} does not hold a key of ${keyBytes} bytes in base64.`)
    return key
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Two processes may start at once: the first to create the file wins, the other reads it. */
async function createKey(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`)
    await handle.sync()
    await handle.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
