import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { isAudioFile, type BackupFile, type BackupManifest } from '../format/manifest.ts'
import { checkArchive } from '../read/check-archive.ts'
import { readArchive, type ArchiveOptions } from '../read/read-archive.ts'
import { findBlobProblem } from '../read/verify-backup.ts'
import { readBlob } from '../store/blob-store.ts'

/** The audio of the recordings in a backup whose archive has been verified. */
export interface BackupAudio {
  manifest: BackupManifest
  /** Returns the file of a recording; undefined where the backup does not have it. */
  find(recordingId: string): BackupFile | undefined
  /** Reads every byte of a file and returns why it cannot be read, to complete "X "; undefined where it is whole. */
  findProblem(file: BackupFile): Promise<string | undefined>
  /** Reads some files one after another, in any order. Whatever `onFile` leaves unread is skipped; an error it throws ends the reading. */
  read(files: BackupFile[], onFile: (file: BackupFile, content: Readable) => Promise<void>): Promise<void>
}

const recordingOf = /([0-9a-f]{24})\.[a-z0-9]+$/

/**
 * Opens the audio of a backup.
 *
 * @throws AppError as checkArchive does: audio is never taken from a damaged archive
 */
export async function openBackupAudio(options: ArchiveOptions): Promise<BackupAudio> {
  const { manifest, masterKey } = await checkArchive(options)
  const store = { folder: dirname(options.path), masterKey }
  const byRecording = new Map(
    manifest.files.filter(isAudioFile).map((file) => [recordingOf.exec(file.path)?.[1] ?? '', file]),
  )
  return {
    manifest,
    find: (recordingId) => byRecording.get(recordingId),
    async findProblem({ blob, ...file }) {
      // Files inside the archive were already compared when it was verified.
      return blob === undefined ? undefined : findBlobProblem(store, { ...file, blob })
    },
    async read(files, onFile) {
      for (const file of files) {
        if (file.blob === undefined) continue
        options.signal?.throwIfAborted()
        await onFile(file, Readable.from(readBlob(store, file.blob), { objectMode: false }))
      }
      const inArchive = new Map(files.filter(({ blob }) => blob === undefined).map((file) => [file.path, file]))
      if (inArchive.size === 0) return
      await readArchive(options, async (path, content) => {
        const file = inArchive.get(path)
        if (file) await onFile(file, content)
        content.resume()
        await finished(content)
      })
    },
  }
}
