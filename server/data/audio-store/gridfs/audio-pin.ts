import type { Connection } from 'mongoose'
import { deleteAudio } from './audio-content.ts'
import { audioFileModel, audioPinModel } from './audio-file-model.ts'

const pinId = 'backup'
/** How long a killed backup still keeps removed files. */
const pinMs = 30 * 60_000

/** Keeps files removed from now on, for a backup to read. Called repeatedly while the backup runs. */
export async function pinAudio(connection: Connection): Promise<void> {
  const until = new Date(Date.now() + pinMs)
  await audioPinModel(connection).updateOne({ _id: pinId }, { $set: { until } }, { upsert: true })
}

/** Returns whether a backup is currently reading audio. */
export async function isAudioPinned(connection: Connection): Promise<boolean> {
  const pin = await audioPinModel(connection).findById(pinId).lean()
  return pin !== null && pin.until.getTime() > Date.now()
}

/** Ends a backup's pin, and deletes what was removed in the meantime. */
export async function unpinAudio(connection: Connection): Promise<void> {
  await audioPinModel(connection).deleteOne({ _id: pinId })
  for await (const { _id } of audioFileModel(connection)
    .find({ 'metadata.state': 'removed' }, { _id: 1 })
    .lean()
    .cursor())
    await deleteAudio(connection, _id.toHexString())
}
