import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { gemmaPath } from '../real-data.ts'

/** llama.cpp's own server in a child process. */
export interface LlamaServer {
  address: string
  /** Kills it, to simulate a crash. */
  kill(): Promise<void>
}

/** Starts the server on Gemma 3 270M with one thread and waits until it responds. */
export async function startLlamaServer({ contextTokens = 1024 } = {}): Promise<LlamaServer> {
  const script = join(import.meta.dirname, 'llama_server.py')
  const child = spawn(process.env.AWAZ_LLAMA_SERVER_PYTHON ?? '', [script, gemmaPath, String(contextTokens)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let messages = ''
  child.stderr.on('data', (bytes: Buffer) => {
    messages = `${messages}${bytes.toString()}`.slice(-2000)
  })
  // The child must not outlive this process, however it exits.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const exited = once(child, 'exit').finally(() => process.off('exit', onExit))
  const [line] = await Promise.race([once(child.stdout, 'data') as Promise<[Buffer]>, exited.then(() => [undefined])])
  if (line === undefined) throw new Error(`The server of llama.cpp did not start: ${messages}`)
  return {
    address: line.toString().trim(),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
