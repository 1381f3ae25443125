import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { realModelsAbsence, realModelsDir } from '../real-data.ts'

const modelPath = join(realModelsDir, 'gemma-3-270m-q4_k_m.gguf')

/** llama.cpp's own server as a process of its own. */
export interface LlamaServer {
  address: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

/** Returns why no server can be started, or undefined when one can. */
export function llamaServerAbsence(): string | undefined {
  const absence = realModelsAbsence()
  if (absence) return absence
  if (!existsSync(modelPath)) return `There is no ${modelPath} (AWAZ_REAL_MODELS).`
  if (process.env.AWAZ_LLAMA_SERVER_PYTHON) return undefined
  return 'AWAZ_LLAMA_SERVER_PYTHON names no Python that has xllamacpp, which holds the server of llama.cpp.'
}

/** Starts the server on Gemma 3 270M with one thread and waits until it answers. */
export async function startLlamaServer({ contextTokens = 1024 } = {}): Promise<LlamaServer> {
  const script = join(import.meta.dirname, 'llama_server.py')
  const child = spawn(process.env.AWAZ_LLAMA_SERVER_PYTHON ?? '', [script, modelPath, String(contextTokens)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let messages = ''
  child.stderr.on('data', (bytes: Buffer) => {
    messages = `${messages}${bytes.toString()}`.slice(-2000)
  })
  // Nothing may outlive who started it, also where that ends early.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const gone = once(child, 'exit').finally(() => process.off('exit', onExit))
  const [line] = await Promise.race([once(child.stdout, 'data') as Promise<[Buffer]>, gone.then(() => [undefined])])
  if (line === undefined) throw new Error(`The server of llama.cpp did not start: ${messages}`)
  return {
    address: line.toString().trim(),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
