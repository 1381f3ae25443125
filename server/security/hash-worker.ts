// A thread of the hash pool: slow hashes compute for hundreds of milliseconds and must not hold up the server's own thread.
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { compare, hash } from 'bcryptjs'
import type { HashTask } from './hash-pool.ts'

async function compute(task: HashTask): Promise<unknown> {
  if (task.kind === 'hash') return hash(task.text, task.cost)
  if (task.kind === 'compare') return compare(task.text, task.hash)
  const options = { N: 2 ** task.effort, r: 8, p: 1, maxmem: 2 ** task.effort * 1024 * 2 }
  return task.texts.map((text) => scryptSync(text, task.salt, 32, options).toString('base64'))
}

parentPort?.on('message', async (task: HashTask) => {
  try {
    parentPort?.postMessage({ result: await compute(task) })
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) })
  }
})
