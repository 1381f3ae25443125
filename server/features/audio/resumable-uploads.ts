import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { partTooLargeError } from '#data/audio-store/upload-files.ts'
import { diskFullError, tooLargeError } from '#data/audio-store/upload-errors.ts'
import { newId } from '#data/ids.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeExpiredUploads, removeUpload } from '#data/uploads/remove-uploads.ts'
import {
  findUpload,
  insertUpload,
  listUploads,
  recordReceived,
  setHeldBytes,
  type UploadRecord,
} from '#data/uploads/uploads.ts'
import { requireExtension } from './file-kind.ts'
import { storeUpload } from './store-upload.ts'
import { cleanUploadName } from './upload-name.ts'
import type { UploadDeps } from './upload-recording.ts'
import { followSession, type Uploader, type UploadSession } from './upload-session.ts'
import { createUploadWriters } from './upload-writers.ts'

export interface ResumableDeps extends UploadDeps {
  /** How long an upload waits for more bytes. */
  uploadExpiryMs: number
}

interface Part {
  offset: number
  /** The announced length; 0 where there is none. */
  lengthBytes: number
  body: Readable
  signal: AbortSignal
}

/** Refusals of the file itself: sent again, it would be refused again. */
const finalRefusals: readonly ErrorCode[] = ['upload_too_large', 'unsupported_audio', 'unreadable_audio', 'no_audio']

export type ResumableUploads = ReturnType<typeof createResumableUploads>

/**
 * Receives recordings in parts. All state is in the database and on the disk, so an upload goes on after a restart. Its quota is held from its
 * beginning; a recording is made of it by `storeUpload`, as of any other upload.
 */
export function createResumableUploads(deps: ResumableDeps) {
  const { connection, audioStore, quota, sessions, maxUploadBytes, uploadExpiryMs: expiryMs } = deps
  const stores = { connection, audioStore }
  const writers = createUploadWriters()
  /** What is being checked and stored, by upload. */
  const finishing = new Map<string, Promise<RecordingRecord>>()

  /** Begins an upload. Throws what POST /api/upload would throw of the name and the size. */
  async function begin(
    uploader: Uploader,
    { name: original, sizeBytes, fingerprint }: { name: string; sizeBytes: number; fingerprint: string },
  ): Promise<UploadRecord> {
    const { ownerId } = uploader
    const name = cleanUploadName(original)
    const extension = requireExtension(name)
    if (sizeBytes > maxUploadBytes) throw tooLargeError(maxUploadBytes)
    if (sizeBytes > (await audioStore.freeBytes())) throw diskFullError()
    await removeExpiredUploads(stores, ownerId)
    const share = await quota.reserve(ownerId, sizeBytes)
    const session = followSession(sessions, uploader)
    try {
      const facts = { id: newId(), ownerId, name, extension, fingerprint, sizeBytes }
      const upload = await share.settle(() => insertUpload(connection, facts, expiryMs))
      await requireStillOwner(session, upload)
      return upload
    } finally {
      session.unsubscribe()
      await share.release()
    }
  }

  /** A deletion of the account that began before the document was written may have read the list of uploads before. */
  async function requireStillOwner(session: UploadSession, { ownerId, id }: UploadRecord): Promise<void> {
    try {
      await session.requireOwner()
    } catch (error) {
      await removeUpload(stores, ownerId, id)
      throw error
    }
  }

  /** Returns an upload with what can be relied on: of a restored database, or after a loss, the file may have less than was recorded. */
  async function find(ownerId: string, id: string): Promise<UploadRecord> {
    const upload = await findUpload(connection, ownerId, id)
    if (!upload) throw new AppError('not_found', 'This upload is no longer there. Please begin it again.')
    return { ...upload, receivedBytes: Math.min(upload.receivedBytes, await audioStore.uploads.size(id)) }
  }

  /** Returns an upload after what a broken connection left was stored. Throws `not_found`. */
  async function get(ownerId: string, id: string): Promise<UploadRecord> {
    const upload = await find(ownerId, id)
    if (!writers.has(id)) return upload
    await writers.endStale(id).catch(() => undefined) // whoever sends is not disturbed
    return find(ownerId, id)
  }

  /** Appends a part. What arrived of one that breaks off is kept. Returns the upload as it is then. */
  async function append(uploader: Uploader, id: string, part: Part): Promise<UploadRecord> {
    const { ownerId } = uploader
    await find(ownerId, id)
    const writer = await writers.claim(id)
    const session = followSession(sessions, uploader)
    try {
      const upload = await find(ownerId, id)
      await assertFits(upload, part)
      await receive(upload, part, {
        signal: AbortSignal.any([part.signal, session.signal, writer.signal]),
        onReceived: writer.recordBytes,
      })
      return await find(ownerId, id)
    } finally {
      session.unsubscribe()
      writer.release()
    }
  }

  async function assertFits(
    { id, receivedBytes, sizeBytes }: UploadRecord,
    { offset, lengthBytes }: Part,
  ): Promise<void> {
    if (finishing.has(id)) throw beingReadError()
    if (offset !== receivedBytes) {
      throw new AppError('conflict', `The next part of this upload begins at ${receivedBytes}, not at ${offset}.`)
    }
    if (lengthBytes > sizeBytes - offset) throw partTooLargeError(sizeBytes - offset)
    if (lengthBytes > (await audioStore.freeBytes())) throw diskFullError()
  }

  async function receive(
    { id, ownerId, sizeBytes }: UploadRecord,
    { offset, body }: Part,
    options: { signal: AbortSignal; onReceived: () => void },
  ): Promise<void> {
    let before = (await findUpload(connection, ownerId, id))?.receivedBytes ?? offset
    await audioStore.uploads.append(id, body, {
      ...options,
      offset,
      maxBytes: sizeBytes - offset,
      async onStored(after) {
        if (!(await recordReceived(connection, { ownerId, id, before, after, expiryMs }))) {
          await removeIfGone(ownerId, id)
          throw new AppError('conflict', 'This upload was changed over another connection.')
        }
        before = after
        if (after < sizeBytes && (await audioStore.freeBytes()) === 0) throw diskFullError()
      },
    })
  }

  /** Removes the file of an upload that was discarded while it was received. */
  async function removeIfGone(ownerId: string, id: string): Promise<void> {
    if (await findUpload(connection, ownerId, id)) return
    await audioStore.uploads.remove(id)
    throw new AppError('not_found', 'This upload is no longer there. Please begin it again.')
  }

  /**
   * Checks and stores a complete upload as a recording with the id of the upload. Goes on when the caller disconnects: asked again, it returns
   * the same recording. An upload whose file is refused is removed; after any other failure it can be finished again.
   */
  async function finish(uploader: Uploader, id: string): Promise<RecordingRecord> {
    const { ownerId } = uploader
    const stored = await findRecording(connection, ownerId, id)
    if (stored) {
      await removeUpload(stores, ownerId, id) // where a crash left it
      return stored
    }
    const upload = await find(ownerId, id)
    if (upload.receivedBytes < upload.sizeBytes || writers.has(id)) throw incompleteError(upload)
    const running = finishing.get(id) ?? store(uploader, upload).finally(() => finishing.delete(id))
    finishing.set(id, running)
    return running
  }

  async function store(uploader: Uploader, upload: UploadRecord): Promise<RecordingRecord> {
    const { id, ownerId, sizeBytes } = upload
    const session = followSession(sessions, uploader)
    try {
      if (sizeBytes > maxUploadBytes) throw tooLargeError(maxUploadBytes)
      const extension = requireExtension(upload.name)
      const pending = await audioStore.uploads.open({ id, extension })
      const share = quota.hold(ownerId, () => setHeldBytes(connection, upload, 0))
      const file = { id, ownerId, name: upload.name, extension, pending }
      const recording = await storeUpload(deps, file, { ...session, share })
      await removeUpload(stores, ownerId, id)
      return recording
    } catch (error) {
      if (error instanceof AppError && finalRefusals.includes(error.code)) await removeUpload(stores, ownerId, id)
      else await setHeldBytes(connection, upload, sizeBytes).catch(() => undefined) // the first error tells why
      throw session.signal.aborted ? session.signal.reason : error
    } finally {
      session.unsubscribe()
    }
  }

  /** Removes an upload. Throws `not_found`. */
  async function discard(ownerId: string, id: string): Promise<void> {
    if (finishing.has(id)) await finishing.get(id)?.catch(() => undefined)
    if (await removeUpload(stores, ownerId, id)) return
    throw new AppError('not_found', 'This upload is no longer there.')
  }

  return { begin, get, append, finish, discard, list: (ownerId: string) => listUploads(connection, ownerId) }
}

function incompleteError({ receivedBytes, sizeBytes }: UploadRecord): AppError {
  return new AppError('conflict', `This upload is not complete: ${receivedBytes} of ${sizeBytes} bytes have arrived.`)
}

function beingReadError(): AppError {
  return new AppError('conflict', 'This upload is complete and being read.')
}
