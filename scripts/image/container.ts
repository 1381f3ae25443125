import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An installation: a root file system and how to start Awaz in it. */
export interface Installation {
  name: string
  /** Folder of the root file system, with the empty folders /data, /tmp, /proc and /dev. */
  root: string
  /** Read-only mounts: `/host/path:/path`. */
  overlays: string[]
  workDir: string
  env: string[]
  command: string[]
  /** Health check: a command that exits with 0 while the server works. */
  healthcheck?: string[]
}

export interface Container {
  /** Resolves when the output matches; rejects with the output when the container exits first. */
  untilPrinted: (pattern: RegExp) => Promise<void>
  /** Sends SIGTERM to the first process. Resolves to the exit status once every process has exited. */
  terminate: () => Promise<number>
  /** Returns the end of the output so far. */
  output: () => string
}

const keptCharacters = 6000

/** Starts the command of an installation with `dataDir` as its /data. Uses the caller's network. */
export function startContainer(installation: Installation, dataDir: string): Container {
  return watchContainer(installation.name, spawnContained(installation, dataDir, installation.command))
}

/** Watches the output and the exit of a started `unshare`. */
export function watchContainer(name: string, child: ChildProcess): Container {
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : 1))
  const printed = new EventEmitter()
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      output = `${output}${text}`.slice(-keptCharacters)
      printed.emit('text')
    })
  }

  async function untilPrinted(pattern: RegExp) {
    while (!pattern.test(output)) {
      const code = await Promise.race([ended, once(printed, 'text').then(() => undefined)])
      if (code !== undefined) throw new Error(`${name} ended with ${code}:\n${output}`)
    }
  }

  async function terminate() {
    process.kill(await firstProcess(child), 'SIGTERM')
    return ended
  }

  return { untilPrinted, terminate, output: () => output }
}

/** Runs a command in an installation. Resolves to its exit status and output. */
export function runContained(installation: Installation, dataDir: string, command: string[]) {
  return collectOutput(spawnContained(installation, dataDir, command))
}

/** Resolves to the exit status of a process and its whole output. */
export async function collectOutput(child: ChildProcess): Promise<{ code: unknown; output: string }> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code]: unknown[] = await once(child, 'close')
  return { code, output }
}

function spawnContained({ root, overlays, workDir, env }: Installation, dataDir: string, command: string[]) {
  const contained = [join(import.meta.dirname, 'contained.sh'), root, dataDir, ...overlays, '--']
  const args = ['--mount', '--pid', '--fork', '--kill-child', ...contained, '/usr/bin/env', '-i', '-C', workDir, ...env]
  return spawn('unshare', [...args, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** `unshare` ignores SIGTERM; its only child is the first process of the container. */
async function firstProcess(child: ChildProcess): Promise<number> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return Number(children.trim())
}
