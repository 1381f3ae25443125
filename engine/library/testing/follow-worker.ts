// Follows changes as an engine does: follow-worker.ts URI DATABASE [until-killed]. Without the third argument it ends when nothing is left to
// do. Sends a message after each poll to a parent that has a channel.
import { pino } from 'pino'
import mongoose from 'mongoose'
import { openQueue } from '#data/jobs/queue.ts'
import { createFollower } from '../follow-changes.ts'
import { createLibrary } from '../library.ts'

// The test has ended.
process.once('disconnect', () => process.exit())

const [uri = '', dbName = '', mode] = process.argv.slice(2)
const connection = await mongoose.createConnection(uri, { dbName, autoIndex: false, autoCreate: false }).asPromise()
const queue = openQueue(connection)
const follower = createFollower({
  queue,
  // The same for each process, so that the next one need not wait for the lease of a killed one.
  holder: 'engine',
  ...createLibrary(queue),
  drain: new AbortController().signal,
  log: pino({ level: 'warn' }),
})
const maxIdlePolls = mode === 'until-killed' ? Infinity : 2
// Without a pause: a change is handled while the next one is made.
for (let idle = 0; idle < maxIdlePolls;) {
  idle = (await follower.poll()) ? 0 : idle + 1
  process.send?.('polled')
}
await connection.close()
