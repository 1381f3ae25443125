import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Person } from '../../chaos/person.ts'
import { readMemory } from '../../chaos/process-table.ts'
import type { Product } from '../../chaos/product.ts'
import type { ExtraCall } from './attack.ts'
import type { Timings } from './judge.ts'

const callFile = join(import.meta.dirname, '../../../models/demo/sample-call.mp3')
const callTimeoutMs = 60_000
const sampleMs = 100

/** Signs in and uploads in turn, and makes the extra calls, one call at a time, until `isOver`; each at least once. */
export async function timeCalls(
  person: Person,
  timings: Timings,
  { isOver, extra = [] }: { isOver: () => boolean; extra?: ExtraCall[] },
): Promise<void> {
  const call = await readFile(callFile)
  const body = { email: person.email, password: person.password }
  do {
    const signIn = () => person.call('POST', '/api/auth/signin', { body, timeoutMs: callTimeoutMs })
    timings.signInMs.push(await timed(timings, 200, signIn))
    timings.uploadMs.push(await timed(timings, 201, () => upload(person, call)))
    for (const { name, make } of extra) {
      const ms = await timed(timings, 200, make)
      timings.extraMs.set(name, [...(timings.extraMs.get(name) ?? []), ms])
    }
  } while (!isOver())
}

function upload(person: Person, call: Buffer): Promise<Answer> {
  const form = new FormData()
  form.append('audio', new Blob([new Uint8Array(call)]), 'call.mp3')
  return person.call('POST', '/api/upload', { form, timeoutMs: callTimeoutMs })
}

async function timed({ refusals }: Timings, expected: number, task: () => Promise<Answer>): Promise<number> {
  const startedAt = performance.now()
  const { status } = await task()
  if (status === expected) return performance.now() - startedAt
  refusals.push(status)
  return Number.POSITIVE_INFINITY
}

/** Samples the server's memory continuously. */
export interface MemoryWatch {
  /** The samples since the last call. */
  take(): number[]
  stop(): void
}

/** Throws when there is no server. After a restart, the new process of the server is watched. */
export function watchMemory(product: Product): MemoryWatch {
  let pid = findServer(product)
  let samples: number[] = []
  const timer = setInterval(() => {
    const { residentBytes } = readMemory(pid)
    if (residentBytes > 0) samples.push(residentBytes)
    else pid = product.find('server')?.pid ?? pid
  }, sampleMs)
  return {
    take() {
      const taken = samples
      samples = []
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

function findServer(product: Product): number {
  const server = product.find('server')
  if (!server) throw new Error('The server does not run')
  return server.pid
}
