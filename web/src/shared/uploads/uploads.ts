import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  resumableAboveBytes,
  type UploadResult,
  audioExtensions,
  defaultMaxUploadBytes,
} from '#contract/entities/recording.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { isAborted, isSessionExpired } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { uploadAudio } from '../api/upload.ts'
import { atom, useAtom } from '../jotai.ts'
import { refreshLists, refreshListsNow } from '../events/refresh-lists.ts'
import { keepUploadedFile } from '../recordings/uploaded-file.ts'
import { useUser } from '../session/session.ts'
import { toastError, toastSuccess } from '../toast.tsx'
import type { uploadInParts } from './upload-in-parts.ts'
import { useMaxUploadBytes } from './max-upload-bytes.ts'
import { describeFailure, type UploadFailure } from './describe-failure.ts'
import { forgetUnsentFile } from './unsent-files.ts'

/** One file being uploaded (audio-workflow specification, section 3). `progress` is the fraction of bytes sent, 0 to 1. */
export interface UploadItem {
  id: string
  /** Who added it: once another user has signed in, it is neither shown nor sent. */
  ownerId: string
  file: File
  name: string
  size: number
  status: 'waiting' | 'uploading' | 'completed' | 'error'
  progress: number
  /** Whether it is waiting for the connection, after which it resumes by itself. */
  isPaused?: boolean
  backendId?: string
  /** The recording with the same file, until the user has decided what to do with this one. */
  duplicateOf?: UploadResult['duplicate_of']
  /** In seconds; set once the server has read the file. */
  duration?: number
  failure?: UploadFailure
  stop: AbortController
}

/** Outlives the upload page: leaving it does not stop an upload. */
const uploadsAtom = atom<UploadItem[]>([])

/** How long toasts of the audio workflow are shown (audio-workflow specification, section 2). */
const toastMs = 4000

let lastId = 0
let queue: Promise<unknown> = Promise.resolve()

/** More than anyone uploads at once; thousands mean that a folder was selected by mistake. */
const maxFilesAtOnce = 200
const minUploadBytes = 1

function makeItem(file: File, ownerId: string): UploadItem {
  lastId += 1
  return {
    id: `upload-${lastId}`,
    ownerId,
    file,
    name: file.name,
    size: file.size,
    status: 'waiting',
    progress: 0,
    stop: new AbortController(),
  }
}

/** Whether an upload is running or waiting for a previous one. */
export function isUnfinished({ status }: UploadItem): boolean {
  return status === 'waiting' || status === 'uploading'
}

/** Returns the uploads of the signed-in user and the actions on them. Files are uploaded one after the other. */
export function useUploads() {
  const client = useQueryClient()
  const { id: ownerId } = useUser()
  const maxBytes = useMaxUploadBytes()
  const [all, setAll] = useAtom(uploadsAtom)
  const items = all.filter((item) => item.ownerId === ownerId)

  function change(id: string, part: Partial<UploadItem>) {
    setAll((before) => before.map((item) => (item.id === id ? { ...item, ...part } : item)))
  }

  function enqueue(item: UploadItem) {
    queue = queue.then(() => uploadOne(item, change, client))
  }

  /** Adds files and starts uploading those that are acceptable; a toast reports each of the others. Returns how many were added. */
  function add(files: readonly File[]): number {
    const { accepted, refusals } = checkUploadFiles(files, maxBytes)
    for (const refusal of refusals) toastError(refusal)
    const added = accepted.map((file) => makeItem(file, ownerId))
    setAll((before) => [...before, ...added])
    for (const item of added) enqueue(item)
    return added.length
  }

  /** Sends failed files again. */
  function retry(failed: UploadItem[]) {
    for (const { id, file } of failed) {
      const again = { ...makeItem(file, ownerId), id }
      setAll((before) => before.map((item) => (item.id === id ? again : item)))
      enqueue(again)
    }
  }

  function remove(id: string) {
    const removed = items.find((item) => item.id === id)
    removed?.stop.abort()
    if (removed) forgetUnsentFile(removed)
    setAll((before) => before.filter((item) => item.id !== id))
  }

  /** Keeps a recording whose file was uploaded before. */
  function keep(id: string) {
    change(id, { duplicateOf: null })
  }

  /** Deletes the recording that an upload became. */
  async function discard({ id, name, backendId }: UploadItem) {
    try {
      if (backendId) await call(recordings.remove, { params: { id: backendId } })
      remove(id)
      await refreshListsNow(client, ['recordings', 'storage'])
    } catch {
      toastError(t('{name} could not be removed. Please try again.', { name: isolateName(name) }))
    }
  }

  return { items, add, retry, remove, keep, discard, clear: () => setAll([]) }
}

/** Query key of the list of unfinished uploads. */
export const unfinishedUploadsKey = ['uploads']

/** Sends a file with POST /api/upload, or a large one in parts, which can be resumed after an interruption. */
const send: typeof uploadInParts = async (file, options) =>
  file.size > resumableAboveBytes
    ? (await import('./upload-in-parts.ts')).uploadInParts(file, options)
    : uploadAudio(file, options)

type Change = (id: string, part: Partial<UploadItem>) => void

async function uploadOne(item: UploadItem, change: Change, client: QueryClient): Promise<void> {
  if (item.stop.signal.aborted) return
  change(item.id, { status: 'uploading' })
  try {
    const result = await send(item.file, {
      signal: item.stop.signal,
      onPaused: (isPaused) => change(item.id, { isPaused }),
      onProgress: (sent, total) => change(item.id, { progress: total > 0 ? sent / total : 0 }),
    })
    change(item.id, {
      status: 'completed',
      progress: 1,
      backendId: result.file_id,
      duplicateOf: result.duplicate_of,
      duration: result.duration,
    })
    forgetUnsentFile(item)
    keepUploadedFile({ ...result, id: result.file_id })
    toastSuccess(t('{name} uploaded successfully!', { name: isolateName(item.name) }), { durationMs: toastMs })
    void refreshLists(client, ['recordings', 'storage'])
    void client.invalidateQueries({ queryKey: unfinishedUploadsKey })
  } catch (error) {
    void client.invalidateQueries({ queryKey: unfinishedUploadsKey })
    if (isAborted(error)) return
    change(item.id, { status: 'error', failure: describeFailure(error, item.size) })
    if (!isSessionExpired(error)) toastError(t('Failed to upload {name}', { name: isolateName(item.name) }))
  }
}

/** Returns the files that can be uploaded, and why the others cannot, in the words of audio-workflow specification, section 2. */
export function checkUploadFiles(
  files: readonly File[],
  maxBytes = defaultMaxUploadBytes,
): { accepted: File[]; refusals: string[] } {
  if (files.length > maxFilesAtOnce) return { accepted: [], refusals: [t('Too many files')] }
  const checked = files.map((file) => ({ file, refusal: refusalOf(file, maxBytes) }))
  return {
    accepted: checked.filter(({ refusal }) => refusal === undefined).map(({ file }) => file),
    refusals: checked.flatMap(({ refusal }) => refusal ?? []),
  }
}

function refusalOf({ name, size }: File, maxBytes: number): string | undefined {
  if (!isAcceptedName(name)) return t('{name} is not a supported audio format', { name })
  if (size > maxBytes) return t('{name}: File is larger than {maxBytes, number, ::group-off} bytes', { name, maxBytes })
  if (size < minUploadBytes)
    return t('{name}: File is smaller than {minUploadBytes, number, ::group-off} bytes', { name, minUploadBytes })
  return undefined
}

/** Whether the name has the extension of an accepted type. */
function isAcceptedName(name: string): boolean {
  const extension = name.split('.').at(-1)?.toLowerCase()
  return audioExtensions.some((accepted) => accepted === extension)
}
