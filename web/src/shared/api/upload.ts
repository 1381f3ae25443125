import { audio } from '#contract/endpoints/audio.ts'
import type { UploadResult } from '#contract/entities/recording.ts'
import { networkError, parseErrorBody } from './api-error.ts'
import { renewSession } from './client.ts'
import { apiUrl } from './origin.ts'
import { readAccessToken } from './tokens.ts'

interface UploadOptions {
  /** Called with the bytes sent so far and in total, as reported by the browser. */
  onProgress: (sentBytes: number, totalBytes: number) => void
  signal: AbortSignal
}

/**
 * Uploads one file. Uses XMLHttpRequest, because fetch reports no upload progress. If the session has expired, refreshes it and restarts
 * the upload once. Throws ApiError, or an AbortError when `signal` aborts.
 */
export async function uploadAudio(file: File, options: UploadOptions): Promise<UploadResult> {
  const token = readAccessToken()
  const first = await sendForm(file, token, options)
  if (first.status !== 401 || !token) return readResult(first)
  await renewSession(token)
  return readResult(await sendForm(file, readAccessToken(), options))
}

function readResult({ status, body }: { status: number; body: unknown }): UploadResult {
  if (status >= 200 && status < 300) return audio.upload.response.parse(body)
  throw parseErrorBody(status, body)
}

function sendForm(file: File, token: string | undefined, { onProgress, signal }: UploadOptions) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(audio.upload.method, apiUrl(audio.upload.path))
    request.responseType = 'json'
    request.setRequestHeader('Accept', 'application/json')
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded, event.total))
    request.addEventListener('load', () => resolve({ status: request.status, body: request.response }))
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    const form = new FormData()
    form.append('audio', file, file.name)
    request.send(form)
  })
}
