import { rm } from 'node:fs/promises'
import type { Connection } from 'mongoose'
import { hashFile } from '../../hash-file.ts'
import { toObjectId } from '../../ids.ts'
import { appendStream } from '../append-stream.ts'
import type { AppendOptions, AudioFile, PendingAudio, UploadFiles } from '../audio-store.ts'
import { toStoreFailure } from '../store-failure.ts'
import { chunkBytes, openChunkWriter } from './chunk-writer.ts'
import type { LocalCopies } from './local-copies.ts'
import { deleteChunks, downloadAudio, readChunkHead } from './audio-content.ts'
import { audioFileModel } from './audio-file-model.ts'
import { createAudioFile, keepAudioFile, removeAudioFile, setAudioState } from './audio-files.ts'

/** Opens the files of resumable uploads in the database: any server continues what another began. */
export function openGridFsUploads(connection: Connection, copies: LocalCopies): UploadFiles {
  const files = audioFileModel(connection)

  /** Returns the file of an upload, even if it is already the audio of a recording. */
  async function find(id: string) {
    const file = await files.findById(toObjectId(id)).lean()
    return file?.metadata.state === 'upload' || file?.metadata.hasUpload ? file : undefined
  }

  /** Truncates an upload to `offset` bytes and returns a sink that continues there. */
  async function openSink(id: string, offset: number) {
    const _id = toObjectId(id)
    if (!(await find(id))) await createAudioFile(connection, { id, extension: '' }, 'upload')
    const update = { $inc: { 'metadata.generation': 1 }, $set: { length: offset } }
    const file = await files.findOneAndUpdate({ _id }, update, { returnDocument: 'after' }).lean()
    const generation = file?.metadata.generation ?? 0
    const n = Math.floor(offset / chunkBytes)
    const head = await readChunkHead(connection, id, { n, sizeBytes: offset % chunkBytes })
    await deleteChunks(connection, id, { from: head.length > 0 ? n + 1 : n })
    return { sink: openChunkWriter(connection, _id, { n, head, generation }), generation }
  }

  return {
    size: async (id) => (await find(id))?.length ?? 0,
    async append(id, stream, options) {
      let generation = 0
      async function open() {
        const opened = await openSink(id, options.offset)
        generation = opened.generation
        return opened.sink
      }
      const onStored: AppendOptions['onStored'] = async (sizeBytes) => {
        const own = { _id: toObjectId(id), 'metadata.generation': generation }
        await files.updateOne(own, { $set: { length: sizeBytes } })
        await options.onStored(sizeBytes)
      }
      try {
        await appendStream(stream, { ...options, onStored }, open)
      } catch (error) {
        options.signal.throwIfAborted()
        throw toStoreFailure(error)
      }
    },
    async open(file) {
      const path = copies.partPath()
      try {
        await copies.makeFolders()
        await downloadAudio(connection, file.id, path)
        return keepable(file, { path, ...(await hashFile(path)) })
      } catch (error) {
        await rm(path, { force: true })
        throw toStoreFailure(error)
      }
    },
    async remove(id) {
      const file = await find(id)
      if (file?.metadata.state === 'upload') await removeAudioFile(connection, id)
      else if (file) await files.updateOne({ _id: file._id }, { $set: { 'metadata.hasUpload': false } })
    },
    async list() {
      const found = await files.find({ 'metadata.state': 'upload' }, { _id: 1 }).lean()
      return found.map(({ _id }) => _id.toHexString())
    },
  }

  function keepable(file: AudioFile, local: Pick<PendingAudio, 'path' | 'sizeBytes' | 'sha256'>): PendingAudio {
    let kept: AudioFile | undefined
    return {
      ...local,
      async keep(extension = file.extension) {
        kept = { id: file.id, extension }
        await keepAudioFile(connection, { ...kept, sizeBytes: local.sizeBytes, hasUpload: true })
        await copies.adopt(local.path, kept)
      },
      async discard() {
        await rm(local.path, { force: true })
        if (!kept) return
        await setAudioState(connection, file.id, 'upload')
        await copies.remove(kept)
      },
    }
  }
}
