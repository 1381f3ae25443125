import { open, rm, statfs } from 'node:fs/promises'
import type { Connection } from 'mongoose'
import { toObjectId } from '../../ids.ts'
import type { AudioFile, AudioStore, PendingAudio } from '../audio-store.ts'
import { fileSink, receiveStream, type ByteSink } from '../receive-stream.ts'
import { toStoreFailure } from '../store-failure.ts'
import { openChunkWriter } from './chunk-writer.ts'
import { openGridFsUploads } from './gridfs-uploads.ts'
import { openLocalCopies, type LocalCopies } from './local-copies.ts'
import { deleteAudio, downloadAudio, readAudio } from './audio-content.ts'
import { audioFileModel, type AudioFileState } from './audio-file-model.ts'
import { createAudioFile, findAudioFile, keepAudioFile, removeAudioFile, setAudioState } from './audio-files.ts'

export interface GridFsOptions {
  connection: Connection
  /** Folder of the copies on this host, shared by its processes. */
  copiesDir: string
  /** Limit for all copies together. */
  maxCopyBytes: number
}

/** Left free for other data on the database's disk and on this host: 512 MiB. */
const reserveBytes = 512 * 1024 * 1024
/** How often copies of audio deleted on another host are removed. */
const checkCopiesMs = 10 * 60_000
const filesPerBatch = 500

/**
 * Opens a store in the database, as the GridFS bucket `audio`: every host that reaches the database has the same recordings. Programs
 * that need a file get a copy on this host.
 */
export async function openGridFsStore({ connection, copiesDir, maxCopyBytes }: GridFsOptions): Promise<AudioStore> {
  const files = audioFileModel(connection)
  const copies = openLocalCopies(copiesDir, maxCopyBytes)
  await copies.removeLeftovers()
  const checkCopies = () => void removeStaleCopies(connection, copies).catch(() => undefined) // the next check tries again
  setInterval(checkCopies, checkCopiesMs).unref()

  async function removeOf({ id, extension }: AudioFile): Promise<void> {
    await removeAudioFile(connection, id)
    await copies.remove({ id, extension })
  }

  return {
    async receive(stream, { id, extension, ...limits }) {
      const path = copies.partPath()
      try {
        const written = await receiveStream(stream, limits, async () => {
          await copies.makeFolders()
          await createAudioFile(connection, { id, extension }, 'receiving')
          return bothSinks(fileSink(await open(path, 'wx', 0o600)), openChunkWriter(connection, toObjectId(id)))
        })
        return pendingAudio({ id, extension }, { path, ...written })
      } catch (error) {
        await rm(path, { force: true }).catch(() => undefined) // the folder is missing, or no folder
        await removeAudioFile(connection, id).catch(() => undefined) // the daily check finds it
        throw toStoreFailure(error)
      }
    },
    size: async (file) => (await findAudioFile(connection, file))?.length ?? null,
    read: async ({ id }, range) => readAudio(connection, id, range),
    open: (file) => copies.open(file, (path) => downloadAudio(connection, file.id, path)),
    async remove(file) {
      if (await findAudioFile(connection, file)) await removeOf(file)
    },
    async *listOlder(before) {
      const older = files.find({ 'metadata.state': 'stored', uploadDate: { $lt: before } }, { metadata: 1 }).lean()
      let batch: AudioFile[] = []
      for await (const { _id, metadata } of older.cursor()) {
        batch.push({ id: _id.toHexString(), extension: metadata.extension })
        if (batch.length < filesPerBatch) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async quarantine(file) {
      const found = await findAudioFile(connection, file)
      if (found) await setAudioState(connection, file.id, found.metadata.hasUpload ? 'upload' : 'aside')
    },
    countQuarantined: () => files.countDocuments({ 'metadata.state': 'aside' }),
    countPartsOlder: (before) => files.countDocuments(unfinished(before)),
    async removePartsOlder(before) {
      const found = await files.find(unfinished(before), { _id: 1 }).lean()
      for (const { _id } of found) await deleteAudio(connection, _id.toHexString())
      await copies.removeLeftovers()
      return found.length
    },
    async freeBytes() {
      try {
        const { bavail, bsize } = await statfs(await copies.makeFolders())
        return Math.max(0, Math.min(bavail * bsize, await freeDatabaseBytes(connection)) - reserveBytes)
      } catch (error) {
        throw toStoreFailure(error)
      }
    },
    uploads: openGridFsUploads(connection, copies),
  }

  function pendingAudio(file: AudioFile, received: Pick<PendingAudio, 'path' | 'sizeBytes' | 'sha256'>): PendingAudio {
    let kept = file
    return {
      ...received,
      async keep(extension = file.extension) {
        kept = { id: file.id, extension }
        await keepAudioFile(connection, { ...kept, sizeBytes: received.sizeBytes, hasUpload: false })
        await copies.adopt(received.path, kept)
      },
      async discard() {
        await rm(received.path, { force: true })
        await removeOf(kept)
      },
    }
  }
}

/** States of files left by a crash during an upload or a removal. */
const unfinishedStates: AudioFileState[] = ['receiving', 'removed']
const unfinished = (before: Date) => ({ 'metadata.state': { $in: unfinishedStates }, uploadDate: { $lt: before } })

/** Writes to two sinks at the same time. */
function bothSinks(a: ByteSink, b: ByteSink): ByteSink {
  return {
    get writtenBytes() {
      return b.writtenBytes
    },
    write: async (bytes) => void (await Promise.all([a.write(bytes), b.write(bytes)])),
    store: async () => void (await Promise.all([a.store(), b.store()])),
    async [Symbol.asyncDispose]() {
      await Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()])
    },
  }
}

/** Returns the free bytes of the disk that the database reports; infinity where it reports none. */
async function freeDatabaseBytes(connection: Connection): Promise<number> {
  const { fsTotalSize, fsUsedSize } = (await connection.db?.stats()) ?? {}
  return typeof fsTotalSize === 'number' && typeof fsUsedSize === 'number'
    ? fsTotalSize - fsUsedSize
    : Number.POSITIVE_INFINITY
}

/** Deletes copies of audio that is no longer stored because another host deleted it. */
export async function removeStaleCopies(connection: Connection, copies: LocalCopies): Promise<void> {
  for (const file of await copies.list()) {
    if (!(await findAudioFile(connection, file))) await copies.remove(file)
  }
  await copies.removeLeftovers()
}
