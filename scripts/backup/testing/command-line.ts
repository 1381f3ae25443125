import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { TestServer } from '#testing/server.ts'
import { openServer, storeRecording } from './instance.ts'

const root = dirname(dirname(dirname(import.meta.dirname)))

/** Starts a command of the product. */
export function startAwaz(args: string[], env: NodeJS.ProcessEnv) {
  const command = ['--disable-warning=ExperimentalWarning', join(root, 'scripts/awaz.ts'), ...args]
  return spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a command of the product until it ends. */
export async function runAwaz(args: string[], env: NodeJS.ProcessEnv) {
  const child = startAwaz(args, env)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, stdout, stderr }
}

/** Starts a server with recordings, and returns the environment of commands on it. */
export async function openInstance({ count, sizeBytes }: { count: number; sizeBytes: number }) {
  const server = await openServer()
  const { id } = await server.createUser()
  for (let n = 0; n < count; n++) await storeRecording(server, id, randomBytes(sizeBytes))
  return { server, env: { DATA_DIR: server.config.dataDir, MONGODB_URI: server.databaseUri } }
}

/** Returns the audit trail's entries about backups, newest first. */
export async function listBackupEvents(server: TestServer, action = 'backup.create') {
  const events = createAuditEventRepository(server.services.work.queue.connection)
  const query = { search: '', action, outcome: '' }
  return (await events.list(query, { page: 1, perPage: 50 })).events
}
