import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { partTooLargeError } from '#data/audio-store/append-stream.ts'
import { diskFullError } from '#data/audio-store/upload-errors.ts'
import { findUpload, recordReceived, type UploadRecord } from '#data/uploads/uploads.ts'
import { requireUpload, uploadGoneError, type ResumableUploadDeps } from './open-upload.ts'

/** A part of a resumable upload, as one request delivers it. */
export interface UploadPart {
  offset: number
  /** The announced length; 0 if none was announced. */
  lengthBytes: number
  body: Readable
}

interface AppendOptions {
  /** Holds the turn of the upload. */
  holder: string
  signal: AbortSignal
  onReceived: () => void
}

/** Appends a part. If it breaks off, what has arrived is kept. Returns the updated upload. */
export async function appendPart(
  deps: ResumableUploadDeps,
  { ownerId, id }: Pick<UploadRecord, 'ownerId' | 'id'>,
  part: UploadPart,
  options: AppendOptions,
): Promise<UploadRecord> {
  const upload = await requireUpload(deps, ownerId, id)
  await assertFits(deps, upload, part)
  await receive(deps, upload, part, options)
  return requireUpload(deps, ownerId, id)
}

async function assertFits(
  { audioStore }: ResumableUploadDeps,
  { receivedBytes, sizeBytes }: UploadRecord,
  { offset, lengthBytes }: UploadPart,
): Promise<void> {
  if (offset !== receivedBytes) {
    throw new AppError('conflict', `The next part of this upload begins at ${receivedBytes}, not at ${offset}.`)
  }
  if (lengthBytes > sizeBytes - offset) throw partTooLargeError(sizeBytes - offset)
  if (lengthBytes > (await audioStore.freeBytes())) throw diskFullError()
}

async function receive(
  { connection, audioStore, uploadExpiryMs: expiryMs }: ResumableUploadDeps,
  { id, ownerId, sizeBytes }: UploadRecord,
  { offset, body }: UploadPart,
  { holder, ...options }: AppendOptions,
): Promise<void> {
  let before = (await findUpload(connection, ownerId, id))?.receivedBytes ?? offset
  await audioStore.uploads.append(id, body, {
    ...options,
    offset,
    maxBytes: sizeBytes - offset,
    async onStored(after) {
      if (!(await recordReceived(connection, { ownerId, id, holder, before, after, expiryMs }))) {
        if (await findUpload(connection, ownerId, id)) throw changedError()
        // The upload was discarded while the part arrived.
        await audioStore.uploads.remove(id)
        throw uploadGoneError()
      }
      before = after
      if (after < sizeBytes && (await audioStore.freeBytes()) === 0) throw diskFullError()
    },
  })
}

function changedError(): AppError {
  return new AppError('conflict', 'This upload was changed over another connection.')
}
