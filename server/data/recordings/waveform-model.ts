import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** The fine waveform of a recording, apart from its document, which lists read. */
export interface WaveformDocument {
  /** The recording's. */
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

/** The waveforms of one database connection. */
export function waveformModel(connection: Connection): Model<WaveformDocument> {
  return modelOf<WaveformDocument>(connection, 'Waveform', schema, 'waveforms')
}
