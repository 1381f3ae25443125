// Claims and completes every job it can get, as one of several engines would: claim-worker.ts URI DATABASE ENGINE_ID
// Prints a line after its first job, and continues when it reads something from its input.
import { once } from 'node:events'
import mongoose, { Types } from 'mongoose'
import { claimJob } from '../claim.ts'
import { completeJob } from '../lease.ts'
import { openQueue } from '../queue.ts'

const [uri = '', dbName = '', engineId = ''] = process.argv.slice(2)
const connection = await mongoose.createConnection(uri, { dbName, autoIndex: false, autoCreate: false }).asPromise()
const queue = openQueue(connection)

for (let taken = 0; ; taken += 1) {
  const job = await claimJob(queue, engineId)
  if (!job) break
  if (taken === 0) {
    console.log('competes')
    await once(process.stdin, 'data')
  }
  await connection.collection('runs').insertOne({ _id: new Types.ObjectId(), jobId: job.id, engineId })
  await completeJob(queue, job, { result: {}, languages: [] })
}
await connection.close()
