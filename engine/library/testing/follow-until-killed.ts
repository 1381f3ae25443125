// Follows changes as an engine does, until it is killed: follow-until-killed.ts URI DATABASE. Sends a message after each poll.
import { pino } from 'pino'
import mongoose from 'mongoose'
import { openQueue } from '#data/jobs/queue.ts'
import { createFollower } from '../follow-changes.ts'
import { createLibrary } from '../library.ts'

// The test has ended.
process.once('disconnect', () => process.exit())

const [uri = '', dbName = ''] = process.argv.slice(2)
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
// Without a pause: a change is handled while the next one is made.
for (;;) {
  await follower.poll()
  process.send?.('polled')
}
