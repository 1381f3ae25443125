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

/** A file of an earlier visit that the server has in part, or not at all. */
export interface UnfinishedFile {
  name: string
  size: number
  /** Bytes that have arrived. */
  received: number
  /** Set where the upload goes on when the file is chosen again. */
  upload?: { id: string; fingerprint: string; expiresAt: string }
}

/** A tab that uploads notes so every 10 s: one that did not for so long is closed. */
const tabSilenceMs = 30_000

/** Returns what was not finished in earlier visits, without what this tab or another one is uploading. */
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

  /** Removes a file from the list, and what the server has of it. */
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

/** Whether a file that was chosen is the one that was not finished. */
export function isSameFile(file: File, { name, size, upload }: UnfinishedFile): boolean {
  return file.size === size && (upload?.fingerprint ? upload.fingerprint === fingerprintOf(file) : file.name === name)
}
