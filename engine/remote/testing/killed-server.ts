import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Runs a `stand-in-main.ts` as a process of its own that is killed as soon as it says that a request came. */
export async function startServerToKill(script: string): Promise<{ address: string; child: ChildProcess }> {
  const child = fork(script)
  onTestFinished(() => void child.kill('SIGKILL'))
  const [{ address }] = (await once(child, 'message')) as [{ address: string }] // what each stand-in-main.ts sends first
  child.on('message', () => child.kill('SIGKILL'))
  return { address, child }
}
