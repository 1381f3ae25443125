import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestDatabase } from './database.ts'

const root = dirname(import.meta.dirname)

export interface TestProcess {
  pid: number
  /** Parsed log lines so far. */
  lines: Record<string, unknown>[]
  /** Sends a signal and waits for the process to exit. */
  end(signal: NodeJS.Signals): Promise<void>
}

interface ProcessOptions {
  dataDir: string
  database: Pick<TestDatabase, 'uri' | 'dbName'>
  env?: Record<string, string>
}

/** Starts the real engine with a test's database and folder; resolves when it is ready. */
export function startEngineProcess(options: ProcessOptions): Promise<TestProcess> {
  return start('engine/main.ts', 'engine ready', options)
}

/** Starts the real server on a free port; resolves when it is ready. */
export async function startServerProcess(options: ProcessOptions): Promise<TestProcess & { url: string }> {
  const server = await start('server/main.ts', 'ready', options)
  const listening = server.lines.find((line) => line.msg === 'listening')
  return { ...server, url: String(listening?.url) }
}

async function start(script: string, readyMessage: string, { dataDir, database, env }: ProcessOptions) {
  const child = spawn(process.execPath, [join(root, script)], {
    env: {
      ...process.env,
      AWAZ_ENV_FILE: '',
      DATA_DIR: dataDir,
      MONGODB_URI: withDatabase(database),
      PORT: '0',
      ENGINE_THREADS: '1',
      GATE_REQUIRES_2FA: 'false',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const lines: Record<string, unknown>[] = []
  await waitForLine(child, lines, readyMessage)
  return {
    pid: child.pid ?? 0,
    lines,
    async end(signal: NodeJS.Signals) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}

function waitForLine(child: ChildProcess, lines: Record<string, unknown>[], message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process exited with ${code} before it logged "${message}"`)))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry: unknown = JSON.parse(line)
      if (typeof entry !== 'object' || entry === null) return
      lines.push({ ...entry })
      if ('msg' in entry && entry.msg === message) resolve()
    })
  })
}

/** Returns the connection string with the name of the test's database. */
function withDatabase({ uri, dbName }: ProcessOptions['database']): string {
  const [address = '', query] = uri.split('?')
  const host = address.replace(/^(mongodb(?:\+srv)?:\/\/[^/]+).*$/, '$1')
  return `${host}/${dbName}${query ? `?${query}` : ''}`
}
