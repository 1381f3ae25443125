import { toObjectId } from '../../ids.ts'
import type { AudioSnapshot } from '../audio-snapshot.ts'
import type { AudioFile } from '../audio-store.ts'
import type { GridFsOptions } from './gridfs-store.ts'
import { openLocalCopies } from './local-copies.ts'
import { downloadAudio } from './audio-content.ts'
import { audioFileModel } from './audio-file-model.ts'
import { pinAudio, unpinAudio } from './audio-pin.ts'

/** How often the pin is renewed, which otherwise expires (audio-pin.ts). */
const renewMs = 10 * 60_000

/** Keeps the audio in the database, including what is deleted in the meantime, until a backup has read it. */
export async function snapshotGridFs({ connection, copiesDir, maxCopyBytes }: GridFsOptions): Promise<AudioSnapshot> {
  const copies = openLocalCopies(copiesDir, maxCopyBytes)
  await pinAudio(connection)
  const timer = setInterval(() => void pinAudio(connection).catch(() => undefined), renewMs) // the next one tries again
  timer.unref()

  async function find({ id, extension }: AudioFile) {
    const found = await audioFileModel(connection).findById(toObjectId(id)).lean()
    const isThere = found?.metadata.state === 'stored' || found?.metadata.state === 'removed'
    return isThere && found.metadata.extension === extension ? found : null
  }

  return {
    refresh: async () => undefined,
    size: async (file) => (await find(file))?.length ?? null,
    async open(file) {
      if (!(await find(file))) return null
      return copies.open(file, (path) => downloadAudio(connection, file.id, path))
    },
    async release() {
      clearInterval(timer)
      await unpinAudio(connection)
    },
  }
}
