// A thread of the password hasher: bcryptjs computes for hundreds of milliseconds and must not hold up the server's own thread.
import { parentPort } from 'node:worker_threads'
import { compare, hash } from 'bcryptjs'
import type { HashTask } from './password-hasher.ts'

parentPort?.on('message', async (task: HashTask) => {
  try {
    const result = task.kind === 'hash' ? await hash(task.text, task.cost) : await compare(task.text, task.hash)
    parentPort?.postMessage({ result })
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) })
  }
})
