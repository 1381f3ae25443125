import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Runs a `fake-server-main.ts` in its own process, which is killed as soon as it reports a request. */
export async function startServerToKill(script: string): Promise<{ address: string; child: ChildProcess }> {
  const child = fork(script)
  onTestFinished(() => void child.kill('SIGKILL'))
  const [{ address }] = (await once(child, 'message')) as [{ address: string }] // the first message of each fake-server-main.ts
  child.on('message', () => child.kill('SIGKILL'))
  return { address, child }
}
