import type { Connection } from 'mongoose'
import { deleteSound } from './sound-content.ts'
import { soundFileModel, soundHoldModel } from './sound-file-model.ts'

const holdId = 'backup'
/** A backup that was killed holds nothing for longer. */
const holdMs = 30 * 60_000

/** Keeps what is removed from now on, for a backup that reads it. Repeated while the backup runs. */
export async function holdSound(connection: Connection): Promise<void> {
  const until = new Date(Date.now() + holdMs)
  await soundHoldModel(connection).updateOne({ _id: holdId }, { $set: { until } }, { upsert: true })
}

/** Whether a backup reads sound at the moment. */
export async function isSoundHeld(connection: Connection): Promise<boolean> {
  const hold = await soundHoldModel(connection).findById(holdId).lean()
  return hold !== null && hold.until.getTime() > Date.now()
}

/** Ends a backup's hold, and deletes what was removed in the meantime. */
export async function releaseSound(connection: Connection): Promise<void> {
  await soundHoldModel(connection).deleteOne({ _id: holdId })
  for await (const { _id } of soundFileModel(connection)
    .find({ 'metadata.state': 'removed' }, { _id: 1 })
    .lean()
    .cursor())
    await deleteSound(connection, _id.toHexString())
}
