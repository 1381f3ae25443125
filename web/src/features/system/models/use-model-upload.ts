import { useQueryClient } from '@tanstack/react-query'
import { models } from '#contract/endpoints/models.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf, ApiError, networkError, parseErrorBody } from '../../../shared/api/api-error.ts'
import { call, fillPath, renewSession } from '../../../shared/api/client.ts'
import { atom, useAtom } from '../../../shared/jotai.ts'
import { apiUrl } from '../../../shared/api/origin.ts'
import { readAccessToken } from '../../../shared/api/tokens.ts'
import type { ModelFiles } from './model-files.ts'
import type { OperationInput } from './use-models.ts'

export type ImportInput = Extract<OperationInput, { kind: 'import' }>

interface ModelUpload {
  name: string
  sizeBytes: number
  sentBytes: number
  /** Why the upload failed. */
  error?: string
  abortController: AbortController
}

/** Outlives the page: leaving it does not stop an upload. */
const uploadAtom = atom<ModelUpload | null>(null)

/** How many times a part is sent while the server cannot be reached. */
const maxAttempts = 4
const retryDelayMs = 1_500

interface UploadOptions {
  onProgress: (sentBytes: number) => void
  signal: AbortSignal
}

/** Returns the running upload, and a function to start one. Uploaded files are imported immediately. One upload at a time. */
export function useModelUpload() {
  const client = useQueryClient()
  const [upload, setUpload] = useAtom(uploadAtom)

  async function start(files: ModelFiles, input: ImportInput): Promise<void> {
    const abortController = new AbortController()
    const { import_name: name } = input
    setUpload({ name, sizeBytes: files.sizeBytes, sentBytes: 0, abortController })
    try {
      const onProgress = (sentBytes: number) => setUpload((current) => current && { ...current, sentBytes })
      await uploadModel(name, files, { signal: abortController.signal, onProgress })
      await call(models.start, { body: input })
      setUpload(null)
    } catch (error) {
      if (abortController.signal.aborted || isSessionExpired(error)) setUpload(null)
      else
        setUpload(
          (current) => current && { ...current, error: messageOf(error, t('The connection to the server was lost.')) },
        )
    } finally {
      for (const queryKey of [['model-imports'], ['model-operations']]) await client.invalidateQueries({ queryKey })
    }
  }

  function dismiss() {
    upload?.abortController.abort()
    setUpload(null)
  }

  return { upload, start, dismiss }
}

/**
 * Uploads the files of a model in parts and puts them into the import folder under `name`. A part that was not received is sent again; an
 * aborted or failed upload leaves nothing behind. Throws ApiError, or an AbortError when `signal` is aborted.
 */
async function uploadModel(name: string, { files }: ModelFiles, { onProgress, signal }: UploadOptions): Promise<void> {
  const body = { name, files: files.map(({ path, file }) => ({ path, size_bytes: file.size })) }
  const { upload_id: id, part_bytes: partBytes } = await call(models.beginUpload, { body })
  let sent = 0
  try {
    for (const [index, { file }] of files.entries()) {
      for (let offset = 0; offset < file.size; offset += partBytes) {
        const part = file.slice(offset, offset + partBytes)
        const before = sent
        await sendPart(part, { id, file: index, offset, signal, onProgress: (bytes) => onProgress(before + bytes) })
        sent += part.size
        onProgress(sent)
      }
    }
    await call(models.finishUpload, { params: { id } })
  } catch (error) {
    await call(models.abandonUpload, { params: { id } }).catch(() => undefined) // otherwise the server deletes it after an hour
    throw error
  }
}

interface PartOptions extends UploadOptions {
  id: string
  file: number
  offset: number
}

async function sendPart(part: Blob, options: PartOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const token = readAccessToken()
    const { status, body } = await sendBytes(part, token, options).catch((error: unknown) => {
      if (error instanceof ApiError) return { status: 0, body: undefined }
      throw error
    })
    if (status >= 200 && status < 300) return
    const isUnreachable = status === 0 || status === 503
    if (attempt === maxAttempts || (!isUnreachable && status !== 401))
      throw isUnreachable ? networkError() : parseErrorBody(status, body)
    if (status === 401 && token) await renewSession(token)
    else await new Promise((resolve) => setTimeout(resolve, retryDelayMs * attempt))
    options.signal.throwIfAborted()
  }
}

/** XMLHttpRequest, because fetch reports no upload progress. */
function sendBytes(part: Blob, token: string | undefined, { id, file, offset, onProgress, signal }: PartOptions) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const path = fillPath(models.sendPart.path, { id })
    request.open(models.sendPart.method, apiUrl(`${path}?file=${file}&offset=${offset}`))
    request.responseType = 'json'
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded))
    request.addEventListener('load', () => resolve({ status: request.status, body: request.response }))
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.send(part)
  })
}
