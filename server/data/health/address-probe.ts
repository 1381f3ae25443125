import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseConnection } from '../connect.ts'
import { systemFactModel } from '../system/system-fact-model.ts'

/** Each run has its own fact: overlapping runs must not remove each other's tokens. */
const factPrefix = 'address_probe:'
/** Sorts after every name with the prefix. */
const afterPrefix = 'address_probe;'
const lifetimeMs = 60_000

/**
 * Stores the hash of a random token for a minute, and returns the token. A server that recognizes it (isProbeToken) uses the same database.
 * Removes tokens left behind by earlier runs.
 */
export async function createProbeToken(connection: DatabaseConnection): Promise<string> {
  const facts = systemFactModel(connection)
  await facts.deleteMany({ _id: { $gte: factPrefix, $lt: afterPrefix }, until: { $lte: new Date() } })
  const token = randomBytes(24).toString('hex')
  await facts.create({ _id: factName(token), value: 'valid', until: new Date(Date.now() + lifetimeMs) })
  return token
}

export async function removeProbeToken(connection: DatabaseConnection, token: string): Promise<void> {
  await systemFactModel(connection).deleteOne({ _id: factName(token) })
}

/** Returns whether the token was created within the last minute and has not been removed. */
export async function isProbeToken(connection: DatabaseConnection, token: string): Promise<boolean> {
  const stored = await systemFactModel(connection).exists({ _id: factName(token), until: { $gt: new Date() } })
  return stored !== null
}

function factName(token: string): string {
  return `${factPrefix}${createHash('sha256').update(token).digest('hex')}`
}
