import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { createHashPool, type HashPool } from '#server/security/hash-pool.ts'

/** The number of codes that accompany an authenticator, and of those on a printed list, which is the whole factor. */
export const backupCodeCount = 10
export const printedCodeCount = 20
const codeLength = 8
/** Crockford's alphabet without the digits 0 and 1, which are easily mistaken for letters. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const Hashes = z.array(z.string())

export interface BackupHashes {
  backupSalt: string
  backupHashes: string[]
}

interface BackupCodeHasherOptions {
  pepper: Buffer
  effort: number
  /** Closed by the caller that opened it. Default: a pool with a separate thread. */
  pool?: HashPool | undefined
}

/** Returns new codes, all of them different. */
export function makeCodes(count: number): string[] {
  const codes = new Set<string>()
  while (codes.size < count) {
    codes.add(Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join(''))
  }
  return [...codes]
}

/**
 * Hashes backup codes with scrypt: 39 random bits are too few for a fast hash (ASVS 5, 6.5.2). This runs in a separate thread, so that many
 * hashes delay neither passwords nor file access. `effort`: N is 2 to this power.
 */
export function createBackupCodeHasher({ pepper, effort, pool: given }: BackupCodeHasherOptions) {
  const pool = given ?? createHashPool({ threads: 1 })

  function prepare(code: string): string {
    return createHmac('sha256', pepper).update(`backup:${code.toUpperCase()}`).digest('base64')
  }

  async function hashWith(salt: string, codes: string[]): Promise<string[]> {
    const saltEffort = Number(salt.split('$')[0])
    return Hashes.parse(await pool.run({ kind: 'scrypt', texts: codes.map(prepare), salt, effort: saltEffort }))
  }

  /**
   * Hashes the codes of a user with one salt, so that checking a code takes one slow hash instead of one for each code. The salt begins
   * with the effort it was made with, so that old codes stay valid after the setting changes.
   */
  async function hashAll(codes: string[]): Promise<BackupHashes> {
    const backupSalt = `${effort}$${randomBytes(16).toString('base64')}`
    return { backupSalt, backupHashes: await hashWith(backupSalt, codes) }
  }

  async function hashOne(code: string, salt: string): Promise<string | undefined> {
    return (await hashWith(salt, [code]))[0]
  }

  return { hashAll, hashOne, close: async () => (given ? undefined : pool.close()) }
}
