import { isolateName } from '#contract/isolated-name.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { uploads } from '#contract/endpoints/uploads.ts'
import { t } from '#contract/texts/t.ts'
import { call, send } from '../api/client.ts'
import { useUser } from '../session/session.ts'
import { toastError } from '../toast.tsx'
import { fingerprintOf } from './file-fingerprint.ts'
import { forgetUnsentFile, readUnsentFiles } from './unsent-files.ts'
import { unfinishedUploadsKey, useUploads } from './uploads.ts'

/** A file of an earlier visit that the server has only in part, or not at all. */
export interface UnfinishedFile {
  name: string
  size: number
  /** Number of bytes that have arrived. */
  received: number
  /** Set if the upload resumes when the file is chosen again. */
  upload?: { id: string; fingerprint: string; expiresAt: string }
}

/** A tab that is uploading notes that every 10 s: one that has not done so for this long is closed. */
const tabSilenceMs = 30_000

/** Returns the unfinished uploads of earlier visits, without those that this or another tab is sending. */
export function useUnfinishedUploads() {
  const client = useQueryClient()
  const { id: ownerId } = useUser()
  const { items } = useUploads()
  const [, setForgotten] = useState(0)
  const { data, dataUpdatedAt: now } = useQuery({ queryKey: unfinishedUploadsKey, queryFn: () => call(uploads.list) })

  const noted = readUnsentFiles(ownerId)
  const isUnderWay = (file: { name: string; size: number }) =>
    items.some(({ name, size }) => name === file.name && size === file.size) ||
    noted.some(({ name, size, at }) => name === file.name && size === file.size && now - at < tabSilenceMs)
  const begun = (data?.uploads ?? []).map(({ id, name, size, received, fingerprint, expires_at: expiresAt }) => ({
    name,
    size,
    received,
    upload: { id, fingerprint, expiresAt },
  }))
  const notBegun = noted
    .filter(({ name, size }) => !begun.some((other) => other.name === name && other.size === size))
    .map(({ name, size }) => ({ name, size, received: 0 }))
  const files: UnfinishedFile[] = [...begun, ...notBegun].filter((file) => !isUnderWay(file))

  /** Removes a file from the list, and its received bytes from the server. */
  async function discard({ upload, name, size }: UnfinishedFile) {
    try {
      if (upload) await send(uploads.discard, { params: { id: upload.id } })
      forgetUnsentFile({ ownerId, name, size })
      setForgotten((count) => count + 1)
      await client.invalidateQueries({ queryKey: unfinishedUploadsKey })
    } catch {
      toastError(t('{name} could not be removed. Please try again.', { name: isolateName(name) }))
    }
  }

  return { files, discard }
}

/** Whether a chosen file is the unfinished one. */
export function isSameFile(file: File, { name, size, upload }: UnfinishedFile): boolean {
  return file.size === size && (upload?.fingerprint ? upload.fingerprint === fingerprintOf(file) : file.name === name)
}
