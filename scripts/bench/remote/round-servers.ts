import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startFakeServer } from '#engine/speech/remote/testing/fake-server.ts'
import { startRealServer } from './real-server.ts'
import type { RoundServers } from './rounds-part.ts'

/** Servers with a model. */
export function realServers(paths: { python: string; modelsDir: string }): RoundServers {
  return { startGood: () => startRealServer(paths), startVictim: () => startRealServer(paths) }
}

/** Servers that respond at once with a unique text for each window, so that lost or repeated lines show without a model. */
export function fakeServers(): RoundServers {
  return {
    async startGood() {
      const { address, close } = await startFakeServer()
      return { address, kill: close }
    },
    async startVictim() {
      const child = fork(join(import.meta.dirname, '../../../engine/speech/remote/testing/fake-server-main.ts'))
      const exited = once(child, 'exit')
      const [{ address }] = (await once(child, 'message')) as [{ address: string }] // the first message of fake-server-main.ts
      return {
        address,
        async kill() {
          child.kill('SIGKILL')
          await exited
        },
      }
    },
  }
}
