import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { signalProcess } from '../process-table.ts'
import type { Fault } from './context.ts'

/**
 * Removes the database's socket file, as cleaners of temporary folders do. Open connections survive, so the server is killed: its
 * successor cannot connect.
 */
export const removeSocket: Fault = async ({ product }) => {
  const sockets = readdirSync(product.temporaryDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('db.sock'),
  )
  if (sockets.length === 0) return undefined
  const now = performance.now()
  for (const name of sockets) rmSync(join(product.temporaryDir, name), { force: true })
  const server = product.find('server')
  if (server) signalProcess(server.pid, 'SIGKILL')
  return { what: 'rm db socket, kill -9 server', brokenAtMs: now, healedAtMs: now }
}
