import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { audioExtensions } from '#contract/entities/recording.ts'
import { isSessionExpired, messageOf } from '../api/api-error.ts'
import { uploadAudio } from '../api/upload.ts'
import { atom, useAtom } from '../jotai.ts'
import { keepUploadedFile } from '../recordings/uploaded-file.ts'
import { toastError, toastSuccess } from '../toast.tsx'

/** One file being uploaded (audio-workflow specification, section 3). `progress` is 0 to 1 of the bytes sent. */
export interface UploadItem {
  id: string
  file: File
  name: string
  size: number
  status: 'waiting' | 'uploading' | 'completed' | 'error'
  progress: number
  backendId?: string
  /** Seconds, once the server has read the file. */
  duration?: number
  error?: string
  stop: AbortController
}

/** Lives beyond the upload page: leaving it does not stop an upload. */
const uploadsAtom = atom<UploadItem[]>([])

let lastId = 0
let queue: Promise<UploadItem | undefined> = Promise.resolve(undefined)

function makeItem(file: File): UploadItem {
  lastId += 1
  return {
    id: `upload-${lastId}`,
    file,
    name: file.name,
    size: file.size,
    status: 'waiting',
    progress: 0,
    stop: new AbortController(),
  }
}

/** Whether the name ends like one of the accepted types. */
export function isAcceptedName(name: string): boolean {
  const extension = name.split('.').at(-1)?.toLowerCase()
  return audioExtensions.some((accepted) => accepted === extension)
}

/** Returns the uploads and the actions on them. Files are uploaded one after the other. */
export function useUploads() {
  const client = useQueryClient()
  const [items, setItems] = useAtom(uploadsAtom)

  function change(id: string, part: Partial<UploadItem>) {
    setItems((all) => all.map((item) => (item.id === id ? { ...item, ...part } : item)))
  }

  async function uploadAfter(before: Promise<unknown>, item: UploadItem) {
    await before
    return await uploadOne(item, change, client)
  }

  /** Adds files and starts uploading. Resolves when all of them have ended, with the last that succeeded. */
  async function add(files: File[]): Promise<UploadItem | undefined> {
    const added = files.map(makeItem)
    setItems((all) => [...all, ...added])
    let last: UploadItem | undefined
    for (const item of added) {
      queue = uploadAfter(queue, item)
      last = (await queue) ?? last
    }
    return last
  }

  function remove(id: string) {
    items.find((item) => item.id === id)?.stop.abort()
    setItems((all) => all.filter((item) => item.id !== id))
  }

  return { items, add, remove, clear: () => setItems([]) }
}

type Change = (id: string, part: Partial<UploadItem>) => void

async function uploadOne(item: UploadItem, change: Change, client: QueryClient): Promise<UploadItem | undefined> {
  if (item.stop.signal.aborted) return undefined
  change(item.id, { status: 'uploading' })
  try {
    const result = await uploadAudio(item.file, {
      signal: item.stop.signal,
      onProgress: (sent, total) => change(item.id, { progress: total > 0 ? sent / total : 0 }),
    })
    const done = { status: 'completed', progress: 1, backendId: result.file_id, duration: result.duration } as const
    change(item.id, done)
    keepUploadedFile({ ...result, id: result.file_id })
    toastSuccess(`${item.name} uploaded successfully!`)
    await client.invalidateQueries({ queryKey: ['recordings'] })
    return { ...item, ...done }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    change(item.id, { status: 'error', error: messageOf(error, 'Network error occurred') })
    if (!isSessionExpired(error)) toastError(`Failed to upload ${item.name}`)
    return undefined
  }
}
