// What an engine writes while it transcribes, until it is told to stop: progress, checkpoints, a finished recording every few seconds.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { connectDatabase } from '#data/connect.ts'
import { createIndexMaintenance } from '#data/search/maintain-index.ts'
import { createLineGenerator, linesPerHour } from './generate-lines.ts'
import { storeHour } from './store-hour.ts'
import type { Vocabulary } from './vocabularies.ts'

/** From ../search.ts. */
export interface JobWriterData {
  uri: string
  ownerId: string
  vocabularies: Vocabulary[]
}

const { uri, ownerId, vocabularies } = workerData as JobWriterData // from ../search.ts
const writeDelayMs = 250
const writesPerRecording = 12

const { connection } = await connectDatabase({ mongodbUri: uri })
const maintenance = createIndexMaintenance(connection)
const generator = createLineGenerator({ seed: 77, lineCount: linesPerHour, vocabularies })
const checkpoints = connection.collection<{ _id: string; data: Buffer }>('bench_checkpoints')

for (let count = 1; ; count++) {
  await checkpoints.insertOne({ _id: randomBytes(12).toString('hex'), data: randomBytes(8_000) })
  await checkpoints.updateOne({ _id: 'progress' }, { $set: { data: randomBytes(2_000) } }, { upsert: true })
  if (count % writesPerRecording === 0) {
    await storeHour(connection, ownerId, `call ${count}`, generator.hour())
    await maintenance.relieve(ownerId)
  }
  await maintenance.runOnce()
  await sleep(writeDelayMs)
}
