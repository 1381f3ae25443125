import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A faster-whisper-server with Whisper base as a separate process. */
export interface RealServer {
  address: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

const startTimeoutMs = 90_000

/** Starts faster-whisper-server (PyPI) on a CTranslate2 folder and waits until it answers. */
export async function startRealServer({
  python,
  modelsDir,
}: {
  python: string
  modelsDir: string
}): Promise<RealServer> {
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const args = ['-m', 'faster_whisper_server', join(modelsDir, 'whisper-base-ct2'), '--host', '127.0.0.1']
  const child = spawn(python, [...args, '--port', String(port)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (bytes: Buffer) => {
    told = `${told}${bytes.toString()}`.slice(-2000)
  })
  // No server may outlive the process that started it, even one that ends early.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const gone = once(child, 'exit').finally(() => process.off('exit', onExit))
  const deadline = Date.now() + startTimeoutMs
  while (!(await isUp(address))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`faster-whisper-server did not start: ${told}`)
    }
    await wait(200)
  }
  return {
    address,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function isUp(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/health`).catch(() => undefined)
  return answer?.ok ?? false
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  server.close()
  await once(server, 'close')
  return port
}
