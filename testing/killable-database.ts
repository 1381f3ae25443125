import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedDatabase, type EmbeddedDatabase } from '#server/embedded-db/launch.ts'

/** An embedded database for one test that can be killed, stopped and restarted at the same address with the same data. */
export interface KillableDatabase {
  uri: string
  /** Returns the id of the current process, or of the last one if it has ended. */
  pid(): number
  kill(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
  /** Kills the database if it is running, and deletes its data. */
  remove(): Promise<void>
}

export async function startKillableDatabase(): Promise<KillableDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-killable-'))
  const dataFile = join(folder, 'a.sqlite')
  const launch = () => startEmbeddedDatabase({ dataFile, socketPath: join(folder, 'db.sock') })
  let running: EmbeddedDatabase = await launch()

  async function kill() {
    process.kill(running.pid, 'SIGKILL')
    await running.exited
  }
  return {
    uri: running.uri,
    pid: () => running.pid,
    kill,
    stop: () => running.stop(),
    async start() {
      running = await launch()
    },
    async remove() {
      try {
        process.kill(running.pid, 'SIGKILL')
      } catch {
        // It has already ended.
      }
      await running.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
