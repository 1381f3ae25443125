import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { toBytes } from '../jobs/packed-json.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { keptRecording } from './lifecycle.ts'
import { recordingModel } from './recording-model.ts'

/** The fine waveform of a recording: one byte per channel and `binMs`, 255 times the square root of the largest amplitude. */
export interface Waveform {
  binMs: number
  channels: Uint8Array[]
}

/** The fine waveform of a recording, stored separately from its document, which lists read. */
export interface WaveformDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  binMs: number
  /** At most 360 kB each. */
  channels: Uint8Array[]
}

const schema = new Schema<WaveformDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    binMs: { type: Number, required: true },
    channels: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** Returns the waveform of a recording, or null where none is stored, as for older recordings. */
export async function findWaveform(
  connection: DatabaseConnection,
  ownerId: string,
  recordingId: string,
): Promise<Waveform | null> {
  const found = await waveformModel(connection)
    .findOne({ _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) })
    .lean<WaveformDocument>()
  return found && { binMs: found.binMs, channels: found.channels.map(toBytes) }
}

/** Stores the waveform of a recording. Leaves none for a recording that is being deleted. */
export async function storeWaveform(
  connection: DatabaseConnection,
  ownerId: string,
  recordingId: string,
  { binMs, channels }: Waveform,
): Promise<void> {
  const ids = { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
  const heights = channels.map((bytes) => Buffer.from(bytes))
  try {
    await waveformModel(connection).create({ ...ids, binMs, channels: heights })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error // another server was faster, with the same bytes
  }
  // A deletion marks the recording before it removes waveforms: if the recording is not yet marked, a later deletion will find this one.
  const isKept = await recordingModel(connection).exists({ ...ids, ...keptRecording })
  if (!isKept) await removeWaveform(connection, ownerId, recordingId)
}

export async function removeWaveform(
  connection: DatabaseConnection,
  ownerId: string,
  recordingId: string,
): Promise<void> {
  await waveformModel(connection).deleteOne({ _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) })
}

/** Deletes the waveforms of all recordings of an owner. */
export async function removeWaveforms(connection: DatabaseConnection, ownerId: string): Promise<void> {
  await waveformModel(connection).deleteMany({ ownerId: toObjectId(ownerId) })
}

/** The waveforms of one database connection. */
export function waveformModel(connection: Connection): Model<WaveformDocument> {
  return modelOf<WaveformDocument>(connection, 'Waveform', schema, 'waveforms')
}
