import { getHeapSpaceStatistics } from 'node:v8'
import { serveChild } from '../serve-child.ts'
import type { EmitEvent } from '../protocol.ts'

/** Methods of the child process in the tests of native-child.ts. */
const methods = {
  double: (samples: Float32Array) => samples.map((sample) => sample * 2),
  env: (name: string) => process.env[name],
  /** Returns the size of V8's young generation in bytes. */
  youngBytes: () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size,
  count: (to: number, emit: EmitEvent) => {
    for (let n = 1; n <= to; n++) emit(n)
    return to
  },
  fail: (message: string) => {
    throw new Error(message)
  },
  crash: (lastWords: string) => {
    process.stderr.write(`${lastWords}\n`)
    process.kill(process.pid, 'SIGSEGV')
    return hang()
  },
  hang: (_: undefined, emit: EmitEvent) => {
    emit('hanging')
    return hang()
  },
  /** Computes until it has used this much processor time, which takes longer on a busy machine. */
  work: async (cpuMs: number) => {
    const before = process.cpuUsage()
    const usedMs = () => {
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    while (usedMs() < cpuMs) {
      spin(20)
      await new Promise(setImmediate)
    }
  },
}

export type TrialMethods = typeof methods

function hang(): Promise<void> {
  return new Promise(() => {})
}

function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

serveChild(methods)
