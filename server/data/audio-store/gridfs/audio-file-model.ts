import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../../model.ts'

/**
 * The state of a file: being received, the data of a resumable upload so far, the audio of a recording, set aside for an
 * administrator, or removed but kept until a backup has ended.
 */
export type AudioFileState = 'receiving' | 'upload' | 'stored' | 'aside' | 'removed'

/** A file of the bucket `audio` in GridFS format (mongodb.com, "GridFS"), under the id of its recording. */
export interface AudioFileDocument {
  _id: Types.ObjectId
  /** In bytes. */
  length: number
  /** The size in bytes of each chunk except the last. */
  chunkSize: number
  /** When the file entered its state. */
  uploadDate: Date
  filename: string
  metadata: {
    state: AudioFileState
    /** Without the dot. */
    extension: string
    /** Whether the upload that a stored file came from is still listed. */
    hasUpload: boolean
    /** Counts the writers of an upload: a writer that has been superseded changes nothing more. */
    generation: number
  }
}

/** A part of a file. */
export interface AudioChunkDocument {
  files_id: Types.ObjectId
  /** From 0. */
  n: number
  data: Buffer
  /** The generation of the writer. */
  generation: number
}

const fileSchema = new Schema<AudioFileDocument>(
  {
    length: { type: Number, required: true },
    chunkSize: { type: Number, required: true },
    uploadDate: { type: Date, required: true },
    filename: { type: String, default: '' },
    metadata: {
      state: { type: String, required: true },
      extension: { type: String, default: '' },
      hasUpload: { type: Boolean, default: false },
      generation: { type: Number, default: 0 },
    },
  },
  { versionKey: false, autoIndex: false },
)
fileSchema.index({ 'metadata.state': 1, uploadDate: 1 })

const chunkSchema = new Schema<AudioChunkDocument>(
  {
    files_id: { type: Schema.Types.ObjectId, required: true },
    n: { type: Number, required: true },
    data: { type: Buffer, required: true },
    generation: { type: Number, default: 0 },
  },
  { versionKey: false, autoIndex: false },
)
chunkSchema.index({ files_id: 1, n: 1 }, { unique: true })

/** The audio files kept in the database. */
export function audioFileModel(connection: Connection): Model<AudioFileDocument> {
  return modelOf<AudioFileDocument>(connection, 'AudioFile', fileSchema, 'audio.files')
}

/** The content of the audio files. */
export function audioChunkModel(connection: Connection): Model<AudioChunkDocument> {
  return modelOf<AudioChunkDocument>(connection, 'AudioChunk', chunkSchema, 'audio.chunks')
}

/** Present while a backup reads audio (audio-pin.ts). */
export interface AudioPinDocument {
  _id: string
  /** When it expires. */
  until: Date
}

const pinSchema = new Schema<AudioPinDocument>(
  { _id: { type: String, required: true }, until: { type: Date, required: true } },
  { versionKey: false, autoIndex: false },
)
pinSchema.index({ until: 1 }, { expireAfterSeconds: 0 })

export function audioPinModel(connection: Connection): Model<AudioPinDocument> {
  return modelOf<AudioPinDocument>(connection, 'AudioPin', pinSchema, 'audio.pins')
}
