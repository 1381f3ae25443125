import { DetailedError, Upload } from 'tus-js-client'
import { resumablePartBytes, uploads } from '#contract/endpoints/uploads.ts'
import type { UploadResult } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, networkError, parseErrorBody } from '../api/api-error.ts'
import { call, fillPath, renewSession, send } from '../api/client.ts'
import { apiUrl } from '../api/origin.ts'
import { readAccessToken } from '../api/tokens.ts'
import { fingerprintOf } from './file-fingerprint.ts'
import { retryUntilSettled } from './retry-until-settled.ts'

export interface UploadInPartsOptions {
  /** Called with the bytes that the server has, and the total. */
  onProgress: (sentBytes: number, totalBytes: number) => void
  /** Called with true while the server cannot be reached; the upload resumes by itself. */
  onPaused: (isPaused: boolean) => void
  signal: AbortSignal
}

/**
 * Uploads one file in parts with the tus protocol. Resumes where an earlier visit left off, waits while the server cannot be reached, and
 * discards what was sent when `signal` aborts. Throws ApiError, or the signal's reason.
 */
export async function uploadInParts(
  file: File,
  { onProgress, onPaused, signal }: UploadInPartsOptions,
): Promise<UploadResult> {
  const upload: { id?: string | undefined } = {}
  const retry = retryUntilSettled({ signal, onPaused })
  try {
    upload.id = await retry.run(() => findUnfinished(file))
    await retry.run(() =>
      sendRest(file, upload, {
        signal,
        onProgress(sent, total) {
          retry.reset()
          onProgress(sent, total)
        },
      }),
    )
    const id = upload.id ?? ''
    return await retry.run(() => call(uploads.finish, { params: { id }, signal }))
  } catch (error) {
    // If this call does not reach the server, it removes the upload after a day.
    if (signal.aborted && upload.id) await send(uploads.discard, { params: { id: upload.id } }).catch(() => undefined)
    throw error
  }
}

async function findUnfinished(file: File): Promise<string | undefined> {
  const { uploads: unfinished } = await call(uploads.list)
  const fingerprint = fingerprintOf(file)
  return unfinished.find((upload) => upload.fingerprint === fingerprint && upload.size === file.size)?.id
}

type SendOptions = Pick<UploadInPartsOptions, 'onProgress' | 'signal'>

/** Sends what the server lacks. Refreshes an expired session; restarts an upload that no longer exists. */
async function sendRest(file: File, upload: { id?: string | undefined }, options: SendOptions): Promise<void> {
  const token = readAccessToken()
  try {
    await runClient(file, upload, options)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 0) await assertReadable(file)
    if (error.status === 401 && token) await renewSession(token)
    else if (error.status === 404 && upload.id) upload.id = undefined
    else throw error
    await runClient(file, upload, options)
  }
}

function runClient(
  file: File,
  upload: { id?: string | undefined },
  { onProgress, signal }: SendOptions,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const address = (path: string) => new URL(apiUrl(path), window.location.href).href
  const client = new Upload(file, {
    // No endpoint: with one, the client would begin another upload after any rejection, even for an expired session.
    ...(upload.id
      ? { uploadUrl: address(fillPath(uploads.get.path, { id: upload.id })) }
      : { endpoint: address(uploads.create.path) }),
    metadata: { filename: file.name, fingerprint: fingerprintOf(file) },
    chunkSize: resumablePartBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest(request) {
      const token = readAccessToken()
      if (token) request.setHeader('Authorization', `Bearer ${token}`)
    },
    onUploadUrlAvailable() {
      upload.id = client.url?.split('/').at(-1)
    },
    onProgress,
    onSuccess: () => resolve(),
    onError: (error) => reject(toApiError(error)),
  })
  const abort = () => {
    void client.abort()
    reject(toError(signal.reason))
  }
  signal.addEventListener('abort', abort, { once: true })
  client.start()
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

function toApiError(error: Error): Error {
  if (!(error instanceof DetailedError)) return error
  const response = error.originalResponse
  if (!response || response.getStatus() === 0) return networkError()
  return parseErrorBody(response.getStatus(), parseJson(response.getBody()))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws if the file has been changed, moved or removed since it was chosen: browsers report that as a network error. */
async function assertReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    throw new ApiError(t('This file has changed or can no longer be read. Please choose it again.'), { status: 400 })
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('The upload was stopped', 'AbortError')
}
