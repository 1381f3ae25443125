import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const root = dirname(import.meta.dirname)
/** Building the web app and starting database, server and engine on a busy machine. */
const startMs = 120_000
/** Shorter than the grace the supervisor gives its services, so that one that hangs fails the test instead of being killed unseen. */
const stopMs = 30_000
/** The end of the product's output that a failure report shows. */
const keptCharacters = 4000

export interface Stack {
  url: string
  dataDir: string
  /** E-mail and password of the first super admin, as the product wrote them down. */
  admin: { email: string; password: string }
  /** Stops the product as Ctrl-C does. Throws, with its last output, when it hangs or exits with an error. */
  stop: () => Promise<void>
}

/** Starts the whole product as `npm start` does, on a free port with a data folder of its own; without required two-factor by default. */
export async function startStack(env: NodeJS.ProcessEnv = {}): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-stack-'))
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    env: {
      ...process.env,
      AWAZ_ENV_FILE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      GATE_REQUIRES_2FA: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString()}`.slice(-keptCharacters)
    })
  }
  async function stop() {
    let hasHung = false
    child.kill('SIGTERM')
    const limit = globalThis.setTimeout(() => {
      hasHung = true
      child.kill('SIGKILL')
    }, stopMs)
    await exited
    clearTimeout(limit)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    if (hasHung) throw new Error(`The product did not end within ${stopMs / 1000} s of SIGTERM\n${printed}`)
    if (child.exitCode !== 0) throw new Error(`The product ended with ${child.exitCode}\n${printed}`)
  }
  try {
    const url = await readAddress(child)
    await untilReady(url)
    const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
    return { url, dataDir, admin: { email, password }, stop }
  } catch (error) {
    // Why it did not start matters more than how it exited.
    await stop().catch(() => undefined)
    throw error
  }
}

/** Waits until ready: the address is known before the database responds and the first admin exists. */
async function untilReady(url: string): Promise<void> {
  const endMs = Date.now() + startMs
  while (Date.now() < endMs) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await setTimeout(200)
  }
  throw new Error('The product did not become ready')
}

/** Reads the address from the greeting that the product prints. */
function readAddress(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = globalThis.setTimeout(() => fail('took too long'), startMs)
    function fail(reason: string) {
      clearTimeout(timer)
      reject(new Error(`The product did not start: ${reason}\n${output}`))
    }
    function onOutput(chunk: Buffer) {
      output += chunk.toString()
      const address = /running at (http:\S+)/.exec(output)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address.replace(/\/$/, ''))
    }
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onOutput)
    child.once('exit', (code) => fail(`it ended with ${code}`))
  })
}
