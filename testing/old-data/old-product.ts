import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A running product of an earlier commit. */
export interface OldProduct {
  url: string
  stop(): Promise<void>
}

const startTimeoutMs = 300_000

/** Checks a commit out into a folder and installs its packages. A worktree that is already there is reused. */
export function checkOut(repository: string, commit: string, folder: string): void {
  const run = (command: string, args: string[], cwd: string) => execFileSync(command, args, { cwd, stdio: 'inherit' })
  try {
    run('git', ['worktree', 'add', '--detach', folder, commit], repository)
  } catch {
    run('git', ['checkout', '--detach', commit], folder)
  }
  run('node', ['scripts/bootstrap.mjs'], folder)
}

/** Starts what `npm start` of that commit starts, with a data folder and settings; resolves once it is ready. */
export async function startOldProduct(
  folder: string,
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<OldProduct> {
  const node = join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
  const child = spawn(node, [join(folder, 'scripts/start.ts')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      AWAZ_ENV_FILE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      GATE_REQUIRES_2FA: 'false',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readAddress(child)
  await waitUntilReady(url)
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

function readAddress({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /running at (http:\/\/[^\s/]+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    stdout?.once('close', () => reject(new Error(`The product ended:\n${output}`)))
  })
}

async function waitUntilReady(url: string): Promise<void> {
  const endMs = Date.now() + startTimeoutMs
  while (Date.now() < endMs) {
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return
    await wait(500)
  }
  throw new Error('The product did not become ready')
}
