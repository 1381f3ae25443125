import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { socketUri } from './socket.ts'

export interface EmbeddedDatabaseOptions {
  /** The SQLite file; its folder must exist. */
  dataFile: string
  /** At most 107 bytes; create its folder with makeRuntimeFolder. */
  socketPath: string
  /** Ends the process when aborted. */
  signal?: AbortSignal
  /** How often TTL indexes are applied; default 60 seconds. */
  sweepIntervalMs?: number
  /** For tests: a file with the offset of this database's clock in milliseconds. */
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
 * Starts the embedded database in a separate process and waits until it listens.
 *
 * @throws Error with the message of the process, for example when the data file is in use.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { dataFile, socketPath, signal, sweepIntervalMs = 60_000, clockFile } = options
  const uri = socketUri(socketPath)
  const args = ['--data', dataFile, '--socket', socketPath, '--sweep-interval-ms', String(sweepIntervalMs)]
  const main = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    // A separate process group, so that Ctrl-C in a terminal does not end it before its users. The channel closes when this process dies.
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

/** Resolves at the first line on stdout; later lines on stderr go to the stderr of this process. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderrOutput = ''
    let isReady = false
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (isReady) process.stderr.write(text)
      else stderrOutput += text
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(new Error(stderrOutput.trim() || `the embedded database ended with status ${code} before it listened`))
    })
    if (!child.stdout) return
    createInterface({ input: child.stdout }).once('line', () => {
      isReady = true
      resolve()
    })
  })
}

/** Creates a folder for sockets with a short path, accessible only to this user. The caller removes it. */
export async function makeRuntimeFolder(): Promise<string> {
  return mkdtemp(join(process.env.XDG_RUNTIME_DIR || tmpdir(), 'awaz-'))
}
