import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './context.ts'

/** Removes the file of the database's socket, as programs that tidy temporary folders do: who is connected stays so, nobody else comes in. */
export const removeSocket: Fault = async ({ product }) => {
  const sockets = readdirSync(product.temporaryDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('db.sock'),
  )
  if (sockets.length === 0) return undefined
  const now = performance.now()
  for (const name of sockets) rmSync(join(product.temporaryDir, name), { force: true })
  return { what: 'rm database socket', brokenAtMs: now, healedAtMs: now }
}
