import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseConnection } from '../connect.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'

const factName = 'address_probe'
const lifetimeMs = 60_000

/**
 * Stores a number that only this database knows the hash of for a minute, and returns it. A server that recognizes it (isProbeToken) uses this
 * database.
 */
export async function createProbeToken(connection: DatabaseConnection): Promise<string> {
  const token = randomBytes(24).toString('hex')
  await createSystemFactRepository(connection).set(factName, `${hash(token)} ${Date.now() + lifetimeMs}`)
  return token
}

export async function removeProbeToken(connection: DatabaseConnection): Promise<void> {
  await createSystemFactRepository(connection).remove(factName)
}

/** Whether the token is the last that was created, within the last minute. */
export async function isProbeToken(connection: DatabaseConnection, token: string): Promise<boolean> {
  const [stored, until] = ((await createSystemFactRepository(connection).find(factName)) ?? '').split(' ')
  return stored === hash(token) && Date.now() < Number(until)
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
