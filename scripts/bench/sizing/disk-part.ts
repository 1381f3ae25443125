import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUserRepository } from '#data/users/users.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { folderBytes } from './product-cost.ts'
import { megabytes } from './figures.ts'
import type { Bench } from './bench.ts'

const callMinutes = 10
const quietMs = 10_000
/** Two channels of 8,000 samples of 16 bits. */
const telephoneBytesPerSecond = 2 * 8_000 * 2

/** Stores finished calls, translated and analysed, and prints what an hour of them takes in the database. */
export async function measureDisk({ stack, database }: Bench, { hours }: { hours: number }): Promise<void> {
  const owner = await createUserRepository(database.connection).findByEmail(stack.admin.email)
  if (!owner) throw new Error('There is no first admin')
  const before = folderBytes(join(stack.dataDir, 'db'))
  const count = Math.ceil((hours * 60) / callMinutes)
  for (let seed = 1; seed <= count; seed += 1)
    await storeLongCall(database, owner.id, { minutes: callMinutes, seed, recording: { name: `Call ${seed}.mp3` } })
  const bytes = (await waitForIndex(join(stack.dataDir, 'db'))) - before
  console.log(
    [
      `database: ${megabytes(bytes / hours)} for an hour of talk with a translation and its search index (${hours} hours)`,
      `sound: ${megabytes(telephoneBytesPerSecond * 3600)} for an hour of two-channel telephone PCM, as it was uploaded`,
    ].join('\n'),
  )
}

/** Returns the bytes of the database once the engine has written nothing for a while: what is derived from calls is written after them. */
async function waitForIndex(folder: string): Promise<number> {
  let bytes = folderBytes(folder)
  for (;;) {
    await sleep(quietMs)
    const now = folderBytes(folder)
    if (now === bytes) return bytes
    bytes = now
  }
}
