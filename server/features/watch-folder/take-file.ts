import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { maxUploadBytes } from '#contract/entities/recording.ts'
import { AppError } from '#contract/app-error.ts'
import { toStoreFailure } from '#data/audio-store/disk-store.ts'
import { tooLargeError } from '#data/audio-store/upload-errors.ts'
import { newId } from '#data/ids.ts'
import { findDuplicate } from '#data/recordings/duplicates.ts'
import { requireExtension } from '../audio/file-kind.ts'
import { storeUpload, type StoreDeps } from '../audio/store-upload.ts'
import { cleanRecordingName } from '../recordings/name.ts'

export interface TakeDeps extends StoreDeps {
  isUserActive: (userId: string) => Promise<boolean>
}

/**
 * What became of a file: it is the recording; or nothing can be made of it, for this reason; or it is still being written, or is gone, and is
 * looked at again when it changes.
 */
export type TakenFile =
  | { state: 'taken'; recordingId: string; note: string | null; modifiedMs: number; sizeBytes: number; sha256: string }
  | { state: 'refused'; reason: string }
  | { state: 'changing' }

/** Failures of this system, not of the file: the file stays where it is and is tried again. */
const temporaryCodes: readonly string[] = ['disk_full', 'unavailable', 'internal', 'session_expired']

/**
 * Stores a copy of a file as a recording of the owner, checked as an upload is. A file whose content the owner has already is that recording:
 * so nothing is taken twice, also after a crash between storing and moving it. Throws where the file should be tried again.
 */
export async function takeFile(deps: TakeDeps, ownerId: string, path: string, signal: AbortSignal): Promise<TakenFile> {
  try {
    return await take(deps, ownerId, path, signal)
  } catch (error) {
    if (isMissing(error)) return { state: 'changing' }
    if (isUnreadable(error)) return { state: 'refused', reason: 'Awaz has no permission to read this file.' }
    const failure = toStoreFailure(error)
    if (failure instanceof AppError && !temporaryCodes.includes(failure.code)) {
      return { state: 'refused', reason: [failure.message, failure.help].filter(Boolean).join(' ') }
    }
    throw failure
  }
}

async function take(deps: TakeDeps, ownerId: string, path: string, signal: AbortSignal): Promise<TakenFile> {
  const name = cleanRecordingName(basename(path))
  const extension = requireExtension(name)
  const before = await lstat(path)
  if (!before.isFile()) return { state: 'refused', reason: 'This is no file of its own: links are not followed.' }
  if (before.size > maxUploadBytes) throw tooLargeError(maxUploadBytes)
  const share = await deps.quota.reserve(ownerId, before.size)
  try {
    const id = newId()
    // A link that took the file's place meanwhile is not followed, and a pipe not waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stream = file.createReadStream()
    const pending = await deps.audioStore.receive(stream, { id, extension, maxBytes: maxUploadBytes, signal })
    const after = await lstat(path)
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || pending.sizeBytes !== before.size) {
      await pending.discard()
      return { state: 'changing' }
    }
    const { sizeBytes, sha256 } = pending
    const known = await findDuplicate(deps.connection, ownerId, sha256)
    if (known) {
      await pending.discard()
      return {
        state: 'taken',
        recordingId: known.id,
        note: `The library had this recording already, as "${known.name}".`,
        modifiedMs: after.mtimeMs,
        sizeBytes,
        sha256,
      }
    }
    async function requireOwner() {
      if (!(await deps.isUserActive(ownerId))) throw new AppError('session_expired', 'The account is deactivated')
    }
    const recording = await storeUpload(
      deps,
      { id, ownerId, name, extension, pending },
      { share, signal, requireOwner },
    )
    return { state: 'taken', recordingId: recording.id, note: null, modifiedMs: after.mtimeMs, sizeBytes, sha256 }
  } finally {
    await share.release()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function isUnreadable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ELOOP'].includes(String(codeOf(error)))
}
