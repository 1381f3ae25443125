import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const root = dirname(import.meta.dirname)
/** Covers building the web app and starting database, server and engine on a busy machine. */
const startTimeoutMs = 120_000
/** Shorter than the supervisor's own time limit for its services, so that a service that hangs fails the test before it is killed. */
const stopTimeoutMs = 30_000
/** How much of the end of the product's output a failure report shows. */
const maxOutputCharacters = 4000

export interface Stack {
  url: string
  dataDir: string
  /** E-mail and password of the first super admin, as the product stored them. */
  admin: { email: string; password: string }
  /** Stops the product as Ctrl-C does. Throws, with its last output, when it hangs or exits with an error. */
  stop: () => Promise<void>
}

/** Starts the whole product as `npm start` does, on a free port with its own data folder; by default two-factor is not required. */
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
  const stopWithProcess = () => child.kill('SIGTERM')
  process.once('exit', stopWithProcess)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString()}`.slice(-maxOutputCharacters)
    })
  }
  async function stop() {
    let hasHung = false
    child.kill('SIGTERM')
    const limit = globalThis.setTimeout(() => {
      hasHung = true
      child.kill('SIGKILL')
    }, stopTimeoutMs)
    await exited
    process.off('exit', stopWithProcess)
    clearTimeout(limit)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    if (hasHung) throw new Error(`The product did not exit within ${stopTimeoutMs / 1000} s of SIGTERM\n${printed}`)
    if (child.exitCode !== 0) throw new Error(`The product exited with ${child.exitCode}\n${printed}`)
  }
  try {
    const url = await readAddress(child)
    await waitUntilReady(url)
    const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
    return { url, dataDir, admin: { email, password }, stop }
  } catch (error) {
    // Why it did not start matters more than how it exited.
    await stop().catch(() => undefined)
    throw error
  }
}

/** Waits until the product is ready: its address is known before the database responds and the first admin exists. */
async function waitUntilReady(url: string): Promise<void> {
  const endMs = Date.now() + startTimeoutMs
  while (Date.now() < endMs) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await setTimeout(200)
  }
  throw new Error('The product did not become ready')
}

/** Reads the address from the start message that the product prints. */
function readAddress(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = globalThis.setTimeout(() => fail('took too long'), startTimeoutMs)
    function fail(reason: string) {
      clearTimeout(timer)
      reject(new Error(`The product did not start: ${reason}\n${output}`))
    }
    function onOutput(chunk: Buffer) {
      output += chunk.toString()
      const address = /running at (http:[^\s"]+)/.exec(output)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address.replace(/\/$/, ''))
    }
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onOutput)
    child.once('exit', (code) => fail(`it exited with ${code}`))
  })
}
