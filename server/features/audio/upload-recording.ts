import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import multer, { type File, type StorageEngine } from '@koa/multer'
import { MulterError } from 'multer'
import { toStoreFailure } from '#data/audio-store/store-failure.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { AppError } from '#contract/app-error.ts'
import type { AudioStore, PendingAudio } from '#data/audio-store/audio-store.ts'
import { diskFullError, tooLargeError } from '#data/audio-store/upload-errors.ts'
import { newId } from '#data/ids.ts'
import type { SessionWatch } from '../sessions/service.ts'
import { storeUpload, type RecordUpload, type StoreDeps } from './store-upload.ts'
import { followSession, type Uploader } from './upload-session.ts'
import { requireExtension, type AudioExtension } from './file-kind.ts'
import { cleanUploadName } from './upload-name.ts'

export interface UploadDeps extends StoreDeps {
  sessions: SessionWatch
  maxUploadBytes: number
}

interface ReceivedUpload {
  id: string
  /** The file name as the browser gave it, without folders or control characters. */
  name: string
  extension: AudioExtension
  pending: PendingAudio
}

/** Maximum size of the form data surrounding the file. */
const maxFormBytes = 64 * 1024
/** Step by which an upload of unknown length extends its quota reservation. */
const reservationStepBytes = 4 * 1024 * 1024
const formLimits = { files: 1, fields: 10, parts: 12, fieldSize: 1024 }

interface ReceiveDeps {
  audioStore: AudioStore
  maxUploadBytes: number
}

/**
 * Receives, checks and stores one recording. It is refused as soon as the caller disconnects or the session ends, whether through signing
 * out, deactivation or deletion of the account: nothing is stored for somebody who is no longer signed in.
 */
export async function uploadRecording(
  deps: UploadDeps,
  ctx: AppContext,
  { recordUpload, ...uploader }: Uploader & { recordUpload: RecordUpload },
): Promise<RecordingRecord> {
  const { ownerId } = uploader
  const session = followSession(deps.sessions, uploader)
  const signal = AbortSignal.any([disconnectSignal(ctx), session.signal])
  // Reserved before the first byte; bytes beyond the announced length are added as they arrive.
  let share: Reservation | undefined
  try {
    share = await deps.quota.reserve(ownerId, ctx.request.length ?? 0)
    const upload = await receiveUpload(deps, ctx, { signal, share })
    const { requireOwner } = session
    return await storeUpload(deps, { ...upload, ownerId }, { share, signal, requireOwner, recordUpload })
  } catch (error) {
    throw session.signal.aborted ? session.signal.reason : toStoreFailure(error)
  } finally {
    session.unsubscribe()
    await share?.release()
  }
}

/**
 * Reads the single file of an upload into the audio store's temporary folder. No file remains if the caller disconnects, the file is too
 * large or anything else fails.
 */
async function receiveUpload(
  deps: ReceiveDeps,
  ctx: AppContext,
  { signal, share }: { signal: AbortSignal; share: Reservation },
): Promise<ReceivedUpload> {
  await rejectEarly(deps, ctx)
  let received: ReceivedUpload | undefined
  const storage: StorageEngine = {
    _handleFile(_request, file, done) {
      const receiving = receiveFile(deps, file, { signal, share, announced: ctx.request.length ?? 0 }).then(
        (upload) => {
          received = upload
          return { ...file, size: upload.pending.sizeBytes }
        },
      )
      callBack(receiving, done)
    },
    _removeFile(_request, _file, done) {
      const succeedOrFail = done as (error?: Error) => void // no error means success, which the types omit
      callBack(received?.pending.discard() ?? Promise.resolve(), succeedOrFail)
    },
  }
  // multer passes one byte more to busboy, whose limit triggers on equality; the audio store does its own counting.
  const limits = { ...formLimits, fileSize: deps.maxUploadBytes }
  const options = { storage, limits, defParamCharset: 'utf8' }
  const form = multer(options)
  try {
    await form.single('audio')(ctx, async () => undefined)
  } catch (error) {
    throw toRefusal(error, deps.maxUploadBytes)
  }
  if (!received) throw new AppError('invalid_input', 'Please upload an audio file first')
  if (signal.aborted) await received.pending.discard()
  signal.throwIfAborted()
  return received
}

async function receiveFile(
  { audioStore, maxUploadBytes }: ReceiveDeps,
  file: File,
  { signal, share, announced }: { signal: AbortSignal; share: Reservation; announced: number },
): Promise<ReceivedUpload> {
  let reserved = announced
  const id = newId()
  const name = cleanUploadName(file.originalname)
  const extension = requireExtension(name)
  if (!('stream' in file) || !(file.stream instanceof Readable)) throw new TypeError('multer passes a stream')
  const pending = await audioStore.receive(file.stream, {
    id,
    extension,
    maxBytes: maxUploadBytes,
    signal,
    async onReceived(sizeBytes) {
      if (sizeBytes <= reserved) return
      reserved = await share.resize(sizeBytes + reservationStepBytes).then(
        () => sizeBytes + reservationStepBytes,
        () => share.resize(sizeBytes).then(() => sizeBytes), // quota may have room for the file, but not for a whole step
      )
    },
  })
  return { id, name, extension, pending }
}

/** Adapts a promise to multer's callbacks. `done` is called outside the promise, so that an error it throws is not taken for ours. */
function callBack<Value>(promise: Promise<Value>, done: (error?: Error, value?: Value) => void) {
  callbackify(() => promise)((error, value) => done(error ?? undefined, value))
}

/** Rejects an upload before reading its body if the announced length is too large for the limit or the disk. */
async function rejectEarly({ audioStore, maxUploadBytes }: ReceiveDeps, ctx: AppContext) {
  const length = ctx.request.length ?? 0
  if (length > maxUploadBytes + maxFormBytes) throw tooLargeError(maxUploadBytes)
  if (length > (await audioStore.freeBytes())) throw diskFullError()
}

function toRefusal(error: unknown, maxUploadBytes: number): unknown {
  if (!(error instanceof MulterError))
    return isBadForm(error) ? new AppError('invalid_input', 'The upload could not be read', { cause: error }) : error
  if (error.code === 'LIMIT_FILE_SIZE') return tooLargeError(maxUploadBytes)
  return new AppError('invalid_input', 'Send one file in the field "audio" of a form', { cause: error })
}

/** busboy reports a malformed form as a plain error. */
function isBadForm(error: unknown): boolean {
  return error instanceof Error && /boundary|unexpected end of form|malformed|multipart/i.test(error.message)
}
