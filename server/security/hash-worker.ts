// Runs in a thread of the hash pool.
import { scryptSync } from 'node:crypto'
import { compare, hash } from 'bcryptjs'
import type { HashTask } from './hash-pool.ts'

export async function compute(task: HashTask): Promise<unknown> {
  if (task.kind === 'hash') return hash(task.text, task.cost)
  if (task.kind === 'compare') return compare(task.text, task.hash)
  const options = { N: 2 ** task.effort, r: 8, p: 1, maxmem: 2 ** task.effort * 1024 * 2 }
  return task.texts.map((text) => scryptSync(text, task.salt, 32, options).toString('base64'))
}
