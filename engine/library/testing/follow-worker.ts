// Follows changes as an engine does: follow-worker.ts URI DATABASE [until-killed]. Without the third argument it exits when nothing is
// left to do. After each poll it sends a message to the parent, if there is an IPC channel.
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
  // The same for each process, so that the next one need not wait for a killed one's lease to expire.
  holder: 'engine',
  ...createLibrary(queue),
  drain: new AbortController().signal,
  log: pino({ level: 'warn' }),
})
const maxIdlePolls = mode === 'until-killed' ? Infinity : 2
// Polls without a pause: a change is handled while the next one is made.
for (let idle = 0; idle < maxIdlePolls;) {
  idle = (await follower.poll()) ? 0 : idle + 1
  process.send?.('polled')
}
await connection.close()
