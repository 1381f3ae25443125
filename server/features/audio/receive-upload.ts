import { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import multer, { type File, type StorageEngine } from '@koa/multer'
import { Types } from 'mongoose'
import { MulterError } from 'multer'
import { AppError } from '#contract/app-error.ts'
import { maxUploadBytes } from '#contract/entities/recording.ts'
import type { AudioStore, PendingAudio } from '#data/audio-store/audio-store.ts'
import { tooLarge } from '#data/audio-store/disk-store.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import type { AppContext } from '#server/http/context.ts'
import { cleanRecordingName } from '../recordings/name.ts'
import { requireExtension, type AudioExtension } from './file-kind.ts'

export interface ReceivedUpload {
  id: Types.ObjectId
  /** The file's name as the browser gave it, without folders and control characters. */
  name: string
  extension: AudioExtension
  pending: PendingAudio
}

/** Room for the form around the file. */
const formBytes = 64 * 1024
/** What an upload of unknown length takes of the quota at a time. */
const shareStepBytes = 4 * 1024 * 1024
/** multer passes one byte more to busboy, whose limit fires at equality; the audio store counts for itself. */
const limits = { fileSize: maxUploadBytes, files: 1, fields: 10, parts: 12, fieldSize: 1024 }

/**
 * Reads the one file of an upload into the audio store's temporary place. A caller who leaves, a file that is too large and any other
 * failure leave nothing behind.
 */
export async function receiveUpload(
  audioStore: AudioStore,
  ctx: AppContext,
  { signal, share }: { signal: AbortSignal; share: Reservation },
): Promise<ReceivedUpload> {
  await refuseHopeless(audioStore, ctx)
  let received: ReceivedUpload | undefined
  const storage: StorageEngine = {
    _handleFile(_request, file, done) {
      const receiving = receiveFile(audioStore, file, { signal, share, announced: ctx.request.length ?? 0 }).then(
        (upload) => {
          received = upload
          return { ...file, size: upload.pending.sizeBytes }
        },
      )
      callBack(receiving, done)
    },
    _removeFile(_request, _file, done) {
      const succeedOrFail = done as (error?: Error) => void // no error means success, which its types forget
      callBack(received?.pending.discard() ?? Promise.resolve(), succeedOrFail)
    },
  }
  const options = { storage, limits, defParamCharset: 'utf8' }
  const form = multer(options)
  try {
    await form.single('audio')(ctx, async () => undefined)
  } catch (error) {
    throw asRefusal(error)
  }
  if (!received) throw new AppError('invalid_input', 'Please upload an audio file first')
  if (signal.aborted) await received.pending.discard()
  signal.throwIfAborted()
  return received
}

async function receiveFile(
  audioStore: AudioStore,
  file: File,
  { signal, share, announced }: { signal: AbortSignal; share: Reservation; announced: number },
): Promise<ReceivedUpload> {
  let held = announced

  const id = new Types.ObjectId()
  const name = cleanName(file.originalname)
  const extension = requireExtension(name)
  if (!('stream' in file) || !(file.stream instanceof Readable)) throw new TypeError('multer hands a stream over')
  const pending = await audioStore.receive(file.stream, {
    id: id.toHexString(),
    extension,
    maxBytes: maxUploadBytes,
    signal,
    async onReceived(sizeBytes) {
      if (sizeBytes <= held) return
      held = await share.resize(sizeBytes + shareStepBytes).then(
        () => sizeBytes + shareStepBytes,
        () => share.resize(sizeBytes).then(() => sizeBytes), // the quota may have room for the file and for no whole step
      )
    },
  })
  return { id, name, extension, pending }
}

/** multer takes callbacks. `done` is called outside of the promise, so that what it throws is not taken for our failure. */
function callBack<Value>(promise: Promise<Value>, done: (error?: Error, value?: Value) => void) {
  callbackify(() => promise)((error, value) => done(error ?? undefined, value))
}

/** Answers before the body is read where its announced length says enough. */
async function refuseHopeless(audioStore: AudioStore, ctx: AppContext) {
  const length = ctx.request.length ?? 0
  if (length > maxUploadBytes + formBytes) throw tooLarge(maxUploadBytes)
  if (length > (await audioStore.freeBytes())) {
    throw new AppError('disk_full', 'The server has no room left for this file', {
      help: 'Tell your administrator that the disk is full.',
    })
  }
}

/** A browser sends the bare name; other programs may send a path, or characters that no list should show. */
function cleanName(original: string): string {
  const bare = original.split(/[/\\]/).at(-1) ?? ''
  const clean = cleanRecordingName(bare)
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  return clean.length <= 255 ? clean : clean.slice(0, 255 - ending.length) + ending
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof MulterError))
    return isBadForm(error) ? new AppError('invalid_input', 'The upload could not be read', { cause: error }) : error
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(maxUploadBytes)
  return new AppError('invalid_input', 'Send one file in the field "audio" of a form', { cause: error })
}

/** busboy throws plain errors about a broken form. */
function isBadForm(error: unknown): boolean {
  return error instanceof Error && /boundary|unexpected end of form|malformed|multipart/i.test(error.message)
}
