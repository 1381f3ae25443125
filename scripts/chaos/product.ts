import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync, createWriteStream } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { listProcesses, signalProcess, type ProductProcess, type Role } from './process-table.ts'

const root = dirname(dirname(import.meta.dirname))
/** Delay before a service manager restarts a service: systemd's RestartSec. */
const restartDelayMs = 100
/** Delay after a failed start, for instance while orphans still hold the port. */
const retryDelayMs = 1000

/** The whole product as `npm start` runs it, under a service manager that restarts it whenever it exits. */
export interface Product {
  url: string
  dataDir: string
  /** TMPDIR of the product. */
  temporaryDir: string
  /** File with the milliseconds by which the product's clocks are shifted. */
  clockFile: string
  /** Live processes, including orphans of earlier supervisors. */
  processes(): ProductProcess[]
  find(role: Role): ProductProcess | undefined
  /** How often the supervisor exited without a signal. */
  unexpectedExits(): number
  /** Kills the supervisor; it is started again. */
  killSupervisor(): void
  /** Sends SIGTERM to the supervisor. Resolves to the milliseconds until every process has exited, `limitMs` at most. */
  stop(limitMs: number): Promise<number>
  /** Kills all processes of the product. */
  destroy(): void
}

export interface ProductOptions {
  /** Temporary folder of the run, by which its processes are recognized. */
  folder: string
  dataDir: string
  /** Receives every line that the product prints. Default: a file in `folder`. */
  logFile?: string
  env?: NodeJS.ProcessEnv
}

export async function startProduct({
  folder,
  dataDir,
  env,
  logFile = join(folder, 'product.log'),
}: ProductOptions): Promise<Product> {
  const port = await findFreePort()
  const temporaryDir = join(folder, 'tmp')
  const clockFile = join(folder, 'clock')
  mkdirSync(temporaryDir)
  writeFileSync(clockFile, '0')
  const log = createWriteStream(logFile, { flags: 'a' })
  let child: ChildProcess | undefined
  let isStopping = false
  let isKilled = false
  let unexpectedExits = 0

  function launch() {
    const startedAt = performance.now()
    child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
      cwd: root,
      env: {
        ...process.env,
        AWAZ_ENV_FILE: '',
        // The users of the run have no second factor.
        GATE_REQUIRES_2FA: 'false',
        PORT: `${port}`,
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        TMPDIR: temporaryDir,
        XDG_RUNTIME_DIR: undefined,
        AWAZ_CHAOS_CLOCK: clockFile,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'moved-clock.ts')} --disable-warning=ExperimentalWarning`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // this process handles Ctrl-C at the terminal
    })
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => log.write(`${line}\n`))
    }
    child.once('exit', (code, signal) => {
      log.write(`--- npm start ended (${signal ?? code})\n`)
      if (isStopping) return
      if (!isKilled) unexpectedExits += 1
      const hasFailed = !isKilled && performance.now() - startedAt < 10_000
      isKilled = false
      setTimeout(
        () => {
          if (!isStopping) launch()
        },
        hasFailed ? retryDelayMs : restartDelayMs,
      )
    })
  }

  const processes = () => listProcesses(temporaryDir)
  launch()
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    temporaryDir,
    clockFile,
    processes,
    find: (role) => processes().find((found) => found.role === role),
    unexpectedExits: () => unexpectedExits,
    killSupervisor() {
      isKilled = true
      if (child?.pid) signalProcess(child.pid, 'SIGKILL')
    },
    async stop(limitMs) {
      isStopping = true
      const startedAt = performance.now()
      child?.kill('SIGTERM')
      while (processes().length > 0 && performance.now() - startedAt < limitMs) await wait(50)
      return performance.now() - startedAt
    },
    destroy() {
      isStopping = true
      // Twice: the second pass finds processes that were just starting.
      for (const _ of [1, 2]) for (const { pid } of processes()) signalProcess(pid, 'SIGKILL')
      log.end()
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('No free port was found')
  return address.port
}
