import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { signalProcess } from '../chaos/process-table.ts'
import { killGroup } from '../supervisor/processes.ts'
import type { NetworkHost } from './network.ts'

const startLimitMs = 60_000

interface HostProcessOptions {
  /** Where it runs. Default: the network of this process. */
  host?: NetworkHost
  /** Name of its log, and of its host where it has one. */
  name: string
  command: string[]
  env?: NodeJS.ProcessEnv
  /** Folder of the run. Temporary files go below it, which identifies leftover processes so that they can be killed. */
  folder: string
  logFolder: string
  /** Resolves once it serves. Default: when it says `ready`. */
  untilReady?: () => Promise<unknown>
}

/** A process of the run, which is killed and started again. */
export interface HostProcess {
  name: string
  start(): Promise<void>
  /** Kills it with all of its children. */
  kill(): Promise<void>
  /** Sends a signal to it and its children. Does nothing if it has exited. */
  signal(signal: NodeJS.Signals): void
  /** Sends SIGTERM and waits for it to exit. Returns how long that took in milliseconds. */
  stop(): Promise<number>
  /** Returns how many times it exited unexpectedly. */
  unexpectedEnds(): number
}

/** Describes a process on a host with its own name and network; it ends when this process does. */
export function createHostProcess({
  host,
  name,
  command,
  env,
  folder,
  logFolder,
  untilReady,
}: HostProcessOptions): HostProcess {
  const temporaryDir = join(folder, 'tmp', name)
  for (const made of [logFolder, temporaryDir]) mkdirSync(made, { recursive: true })
  const log = createWriteStream(join(logFolder, `${name}.log`), { flags: 'a' })
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let isEnding = false
  let unexpectedEnds = 0

  async function start(): Promise<void> {
    isEnding = false
    const [program = '', ...args] = host ? onHost(host, command) : command
    const started = spawn(program, args, {
      env: { ...process.env, ...env, TMPDIR: temporaryDir },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true, // a group, so that its children are killed with it
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) stream?.pipe(log, { end: false })
    const saidReady = new Promise<void>((resolve) =>
      started.on('message', (message) => message === 'ready' && resolve()),
    )
    ended = new Promise((resolve) => started.once('exit', resolve))
    started.once('exit', (code, signal) => {
      log.write(`--- ${name} ended (${signal ?? code})\n`)
      if (!isEnding) unexpectedEnds += 1
    })
    const failed = Promise.any([ended, wait(startLimitMs, undefined, { ref: false })]).then(() => {
      throw new Error(`${name} did not start: see its log (--logs FOLDER)`)
    })
    await Promise.race([untilReady ? untilReady() : saidReady, failed])
  }

  return {
    name,
    start,
    async kill() {
      isEnding = true
      killGroup(child?.pid)
      await ended
    },
    signal(signal) {
      if (child?.pid !== undefined && child.exitCode === null) signalProcess(-child.pid, signal)
    },
    async stop() {
      isEnding = true
      const startedAt = performance.now()
      child?.kill('SIGTERM')
      await ended
      return performance.now() - startedAt
    },
    unexpectedEnds: () => unexpectedEnds,
  }
}

/** Returns the command as run on a host, under its name: engines with the same host name would treat each other's work as abandoned. */
function onHost({ namespace, name }: NetworkHost, command: string[]): string[] {
  const rename = 'echo "$0" > /proc/sys/kernel/hostname; exec "$@"'
  return ['ip', 'netns', 'exec', namespace, 'unshare', '--uts', 'sh', '-c', rename, name, ...command]
}
