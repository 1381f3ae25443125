import type { Connection } from 'mongoose'
import { toObjectId } from '../../ids.ts'
import type { AudioFile } from '../audio-store.ts'
import { chunkBytes } from './chunk-writer.ts'
import { deleteChunks, deleteAudio } from './audio-content.ts'
import { audioFileModel, type AudioFileDocument, type AudioFileState } from './audio-file-model.ts'
import { isAudioPinned } from './audio-pin.ts'

/** Creates an empty file, replacing any with the same id. */
export async function createAudioFile(
  connection: Connection,
  { id, extension }: AudioFile,
  state: AudioFileState,
): Promise<void> {
  const _id = toObjectId(id)
  const file: AudioFileDocument = {
    _id,
    length: 0,
    chunkSize: chunkBytes,
    uploadDate: new Date(),
    filename: fileName({ id, extension }),
    metadata: { state, extension, hasUpload: false, generation: 0 },
  }
  await audioFileModel(connection).replaceOne({ _id }, file, { upsert: true })
  await deleteChunks(connection, id)
}

function fileName({ id, extension }: AudioFile): string {
  return extension === '' ? id : `${id}.${extension}`
}

/** Makes a complete file the audio of a recording. */
export async function keepAudioFile(
  connection: Connection,
  file: AudioFile & { sizeBytes: number; hasUpload: boolean },
): Promise<void> {
  const { matchedCount } = await audioFileModel(connection).updateOne(
    { _id: toObjectId(file.id) },
    {
      $set: {
        length: file.sizeBytes,
        uploadDate: new Date(),
        filename: fileName(file),
        'metadata.state': 'stored',
        'metadata.extension': file.extension,
        'metadata.hasUpload': file.hasUpload,
      },
    },
  )
  if (matchedCount === 0) throw new Error('The upload was removed before it was complete')
}

/** Moves a file into another state; it no longer belongs to an upload afterwards. Returns whether the file exists. */
export async function setAudioState(connection: Connection, id: string, state: AudioFileState): Promise<boolean> {
  const { matchedCount } = await audioFileModel(connection).updateOne(
    { _id: toObjectId(id) },
    { $set: { 'metadata.state': state, 'metadata.hasUpload': false, uploadDate: new Date() } },
  )
  return matchedCount > 0
}

/** Deletes a file with its content, or marks it for deletion while a backup runs. What a crash leaves behind is found by its state. */
export async function removeAudioFile(connection: Connection, id: string): Promise<void> {
  if (!(await setAudioState(connection, id, 'removed'))) return
  if (!(await isAudioPinned(connection))) await deleteAudio(connection, id)
}

/** Returns the audio file of a recording if it has this extension. */
export async function findAudioFile(
  connection: Connection,
  { id, extension }: AudioFile,
): Promise<AudioFileDocument | undefined> {
  const file = await audioFileModel(connection).findById(toObjectId(id)).lean()
  return file?.metadata.state === 'stored' && file.metadata.extension === extension ? file : undefined
}
