import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { socketUri } from './socket.ts'

export interface EmbeddedDatabaseOptions {
  /** The SQLite file; its folder must exist. */
  dataFile: string
  /** At most 107 bytes; make its folder with makeRuntimeFolder. */
  socketPath: string
  /** Ends the process when aborted. */
  signal?: AbortSignal
  /** How often TTL indexes are applied. Default 60 seconds. */
  sweepIntervalMs?: number
  /** A file that says how many milliseconds the clock of this database is off. For tests. */
  clockFile?: string
}

export interface EmbeddedDatabase {
  /** Connection string of the database `awaz`. */
  uri: string
  pid: number
  /** Ends the process cleanly; resolves when it has ended. */
  stop(): Promise<void>
  /** The exit status; null when a signal ended the process. */
  exited: Promise<number | null>
}

/**
 * Starts the embedded database in a process of its own and waits until it listens.
 *
 * @throws Error with the process's own sentence, such as a data file that is in use.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { dataFile, socketPath, signal, sweepIntervalMs = 60_000, clockFile } = options
  const uri = socketUri(socketPath)
  const args = ['--data', dataFile, '--socket', socketPath, '--sweep-interval-ms', String(sweepIntervalMs)]
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    // A group of its own: a terminal's Ctrl-C must not end it before those who use it. The channel closes when we die.
    detached: true,
    env: { ...process.env, ...(clockFile && { AWAZ_TEST_DATABASE_CLOCK: clockFile }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.channel?.unref()
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const onAbort = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', onAbort, { once: true })
  void exited.then(() => signal?.removeEventListener('abort', onAbort))
  await ready(child)
  return {
    uri,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Resolves at the first line on stdout; later lines on stderr go to ours. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = ''
    let isReady = false
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (isReady) process.stderr.write(text)
      else complaint += text
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(new Error(complaint.trim() || `the embedded database ended with status ${code} before it listened`))
    })
    if (!child.stdout) return
    createInterface({ input: child.stdout }).once('line', () => {
      isReady = true
      resolve()
    })
  })
}

/** A new folder for sockets, short enough for their paths and open to this user alone. The caller removes it. */
export async function makeRuntimeFolder(): Promise<string> {
  return mkdtemp(join(process.env.XDG_RUNTIME_DIR || tmpdir(), 'awaz-'))
}
