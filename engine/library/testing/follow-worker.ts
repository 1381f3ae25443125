// Follows changes as an engine does, until it is killed or nothing is left to do: follow-worker.ts URI DATABASE
import { pino } from 'pino'
import mongoose from 'mongoose'
import { openQueue } from '#data/jobs/queue.ts'
import { createFollower } from '../../follow-changes.ts'
import { createLibrary } from '../../library.ts'

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
for (let idle = 0; idle < 2;) idle = (await follower.poll()) ? 0 : idle + 1
await connection.close()
