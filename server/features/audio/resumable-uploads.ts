import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import { diskFullError, tooLargeError } from '#data/audio-store/upload-errors.ts'
import { newId } from '#data/ids.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeExpiredUploads, removeUpload } from '#data/uploads/remove-uploads.ts'
import { isBeingFinished, takeUploadTurn, type UploadTurn } from '#data/uploads/upload-turn.ts'
import { findUpload, insertUpload, listUploads, type UploadRecord } from '#data/uploads/uploads.ts'
import { appendPart, type UploadPart } from './append-part.ts'
import { requireExtension } from './file-kind.ts'
import { requireUpload, type ResumableUploadDeps, uploadGoneError } from './open-upload.ts'
import { cleanUploadName } from './upload-name.ts'
import { followSession, type Uploader, type UploadSession } from './upload-session.ts'
import { createUploadWriters, uploadBusyError } from './upload-writers.ts'
import { finishInTurn, type FinishingUploader, turnPollMs } from './finish-upload.ts'

/**
 * Receives recordings in parts. All state is in the database and on disk, so an upload can resume after a restart. Its quota is reserved
 * from the start; `storeUpload` turns it into a recording, as for any other upload.
 */
export function createResumableUploads(deps: ResumableUploadDeps) {
  const { connection, audioStore, quota, sessions, maxUploadBytes, uploadExpiryMs } = deps
  const writers = createUploadWriters()
  /** Uploads that this server is checking and storing, by id. */
  const finishing = new Map<string, Promise<RecordingRecord>>()

  /** Begins an upload. Throws the errors that POST /api/upload would throw for this name and size. */
  async function begin(
    uploader: Uploader,
    { name: original, sizeBytes, fingerprint }: { name: string; sizeBytes: number; fingerprint: string },
  ): Promise<UploadRecord> {
    const { ownerId } = uploader
    const name = cleanUploadName(original)
    const extension = requireExtension(name)
    if (sizeBytes > maxUploadBytes) throw tooLargeError(maxUploadBytes)
    if (sizeBytes > (await audioStore.freeBytes())) throw diskFullError()
    await removeExpiredUploads(deps, ownerId)
    const share = await quota.reserve(ownerId, sizeBytes)
    const session = followSession(sessions, uploader)
    try {
      const facts = { id: newId(), ownerId, name, extension, fingerprint, sizeBytes }
      const upload = await share.settle(() => insertUpload(connection, facts, uploadExpiryMs))
      await requireStillOwner(session, upload)
      return upload
    } finally {
      session.unsubscribe()
      await share.release()
    }
  }

  /** Needed because a deletion of the account that began before the document was written may have read the list of uploads too early. */
  async function requireStillOwner(session: UploadSession, { ownerId, id }: UploadRecord): Promise<void> {
    try {
      await session.requireOwner()
    } catch (error) {
      await removeUpload(deps, ownerId, id)
      throw error
    }
  }

  /** Returns an upload once everything left by a broken connection has been stored. Throws `not_found`. */
  async function get(ownerId: string, id: string): Promise<UploadRecord> {
    const upload = await requireUpload(deps, ownerId, id)
    if (!writers.has(id)) return upload
    await writers.endStale(id).catch(() => undefined) // an active sender is not disturbed
    return requireUpload(deps, ownerId, id)
  }

  /**
   * Appends a part, one request at a time, until the session ends. When `signal` aborts, what has arrived is stored before its reason is
   * thrown.
   */
  async function append(
    uploader: Uploader,
    id: string,
    part: UploadPart & { signal: AbortSignal },
  ): Promise<UploadRecord> {
    const { ownerId } = uploader
    await requireUpload(deps, ownerId, id)
    const writer = await writers.claim(id)
    part.body.once('close', writer.end)
    if (part.body.destroyed) writer.end()
    const session = followSession(sessions, uploader)
    let turn: UploadTurn | undefined
    try {
      turn = await takeUploadTurn(connection, { ownerId, id }, 'receive')
      if (!turn) throw await whyBusy({ ownerId, id })
      const { holder, keep } = turn
      const signal = AbortSignal.any([session.signal, writer.signal])
      function onReceived() {
        writer.recordBytes()
        keep()
      }
      return await appendPart(deps, { ownerId, id }, part, { holder, signal, onReceived })
    } catch (error) {
      throw part.signal.aborted ? part.signal.reason : error
    } finally {
      session.unsubscribe()
      await turn?.end()
      writer.release()
    }
  }

  /** Returns why this request cannot have the turn. */
  async function whyBusy(key: Pick<UploadRecord, 'ownerId' | 'id'>): Promise<AppError> {
    if (!(await findUpload(connection, key.ownerId, key.id))) return uploadGoneError()
    if (!(await isBeingFinished(connection, key))) return uploadBusyError()
    return new AppError('conflict', 'This upload is complete and being read.')
  }

  /** Turns a complete upload into a recording. Continues after the caller disconnects: a second call returns the same recording. */
  async function finish(uploader: FinishingUploader, id: string): Promise<RecordingRecord> {
    const { ownerId } = uploader
    const upload = await requireUpload(deps, ownerId, id).catch(async (error: unknown) => {
      const stored = await findRecording(connection, ownerId, id)
      if (stored) return stored
      throw error
    })
    if ('sha256' in upload) return upload
    if (upload.receivedBytes < upload.sizeBytes || writers.has(id)) throw incompleteError(upload)
    const running = finishing.get(id) ?? finishInTurn(deps, uploader, upload).finally(() => finishing.delete(id))
    finishing.set(id, running)
    return running
  }

  /** Removes an upload. Throws `not_found`, even where it has become a recording. */
  async function discard(ownerId: string, id: string): Promise<void> {
    await requireUpload(deps, ownerId, id)
    await finishing.get(id)?.catch(() => undefined) // removed below in either case
    while (await isBeingFinished(connection, { ownerId, id })) await wait(turnPollMs)
    if (!(await removeUpload(deps, ownerId, id))) throw uploadGoneError()
  }

  return { begin, get, append, finish, discard, list: (ownerId: string) => listUploads(connection, ownerId) }
}

function incompleteError({ receivedBytes, sizeBytes }: UploadRecord): AppError {
  return new AppError('conflict', `This upload is not complete: ${receivedBytes} of ${sizeBytes} bytes have arrived.`)
}
