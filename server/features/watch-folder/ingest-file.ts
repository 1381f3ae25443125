import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import type { PendingAudio } from '#data/audio-store/audio-store.ts'
import { toStoreFailure } from '#data/audio-store/store-failure.ts'
import { tooLargeError } from '#data/audio-store/upload-errors.ts'
import { insertRecordingEvents } from '#data/audit/recording-events.ts'
import { newId } from '#data/ids.ts'
import { findDuplicate } from '#data/recordings/duplicates.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import { requireExtension } from '../audio/file-kind.ts'
import { describeUpload, storeUpload, type StoreDeps } from '../audio/store-upload.ts'
import { decodeName, isDecodable } from './names.ts'
import type { FolderHandle } from './folder-handle.ts'
import { readChunks } from './read-file.ts'

export interface IngestDeps extends StoreDeps {
  isUserActive: (userId: string) => Promise<boolean>
  maxUploadBytes: number
}

/** A file that is now a recording, in the state in which it was imported. */
export interface TakenContent {
  recordingId: string
  /** What its owner should know about it; null for nothing. */
  note: string | null
  modifiedNs: bigint
  sizeBytes: number
  sha256: string
  /** Whether the recording was already in the library. */
  isKnown: boolean
}

/**
 * The outcome of a file: it is now the recording; or nothing can be made of it, for the given reason; or it is still being written or is
 * gone, and is checked again when it changes.
 */
export type TakenFile =
  ({ state: 'taken' } & TakenContent) | { state: 'refused'; reason: string } | { state: 'changing' }

/** A file in an open folder. */
export interface FileInFolder {
  folder: FolderHandle
  name: Buffer
}

/** Failures of this system rather than of the file: the file stays where it is and is tried again. */
const temporaryCodes: readonly string[] = ['disk_full', 'unavailable', 'internal', 'session_expired']
const linkReason = 'This is no file of its own: links are not followed.'

/**
 * Stores a copy of a file as a recording of the owner, with the same checks as an upload. If the owner already has a recording with this
 * content, the file counts as that recording: so nothing is imported twice, even after a crash between storing and moving it. Throws if the
 * file should be tried again.
 */
export async function ingestFile(
  deps: IngestDeps,
  ownerId: string,
  source: FileInFolder,
  signal: AbortSignal,
): Promise<TakenFile> {
  try {
    return await take(deps, ownerId, source, signal)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return { state: 'changing' }
    if (code === 'ELOOP') return { state: 'refused', reason: linkReason }
    if (code === 'EACCES' || code === 'EPERM')
      return { state: 'refused', reason: 'Awaz has no permission to read this file.' }
    const failure = toStoreFailure(error)
    if (failure instanceof AppError && !temporaryCodes.includes(failure.code)) {
      return { state: 'refused', reason: [failure.message, failure.help].filter(Boolean).join(' ') }
    }
    throw failure
  }
}

async function take(deps: IngestDeps, ownerId: string, source: FileInFolder, signal: AbortSignal): Promise<TakenFile> {
  const found = await source.folder.lookUp(source.name)
  if (!found) return { state: 'changing' }
  if (!found.isFile()) return { state: 'refused', reason: linkReason }
  requireExtension(decodeName(source.name))
  const file = await source.folder.openFile(source.name)
  try {
    return await ingestOpen(deps, ownerId, { ...source, file }, signal)
  } finally {
    await file.close()
  }
}

/** Everything is read from the one open file, so it is the same file throughout, whatever takes over its name. */
async function ingestOpen(
  deps: IngestDeps,
  ownerId: string,
  source: FileInFolder & { file: FileHandle },
  signal: AbortSignal,
): Promise<TakenFile> {
  const { file, name } = source
  const before = await file.stat({ bigint: true })
  if (!before.isFile()) return { state: 'refused', reason: linkReason }
  if (before.size > deps.maxUploadBytes) throw tooLargeError(deps.maxUploadBytes)
  const sizeBytes = Number(before.size)
  const share = await deps.quota.reserve(ownerId, sizeBytes)
  const stream = Readable.from(readChunks(file))
  try {
    const id = newId()
    const extension = requireExtension(decodeName(name))
    const pending = await deps.audioStore.receive(stream, { id, extension, maxBytes: deps.maxUploadBytes, signal })
    if (pending.sizeBytes !== sizeBytes || !(await isUnchanged(source, before))) {
      await pending.discard()
      return { state: 'changing' }
    }
    const { sha256 } = pending
    const taken = { state: 'taken' as const, modifiedNs: before.mtimeNs, sizeBytes, sha256 }
    const known = await findDuplicate(deps.connection, ownerId, sha256)
    if (known) {
      await pending.discard()
      const note = `The library had this recording already, as "${known.name}".`
      return { ...taken, recordingId: known.id, note, isKnown: true }
    }
    const recordingId = await store(deps, { id, ownerId, name, pending, share, signal })
    return { ...taken, recordingId, note: describeName(name), isKnown: false }
  } finally {
    stream.destroy()
    await share.release()
  }
}

/** Returns whether the file, and whatever now has its name, are unchanged since before it was read. */
async function isUnchanged({ folder, name, file }: FileInFolder & { file: FileHandle }, before: BigIntStats) {
  const [after, named] = [await file.stat({ bigint: true }), await folder.lookUp(name)]
  return [after, named].every((now) => now?.size === before.size && now.mtimeNs === before.mtimeNs)
}

interface StoreInput {
  id: string
  ownerId: string
  name: Buffer
  pending: PendingAudio
  share: Reservation
  signal: AbortSignal
}

/** Returns the id of the new recording. */
async function store(deps: IngestDeps, { share, signal, name, ...input }: StoreInput): Promise<string> {
  const decoded = decodeName(name)
  async function requireOwner() {
    if (!(await deps.isUserActive(input.ownerId)))
      throw new AppError('session_expired', 'The account of the owner is deactivated.')
  }
  async function recordUpload(recording: RecordingRecord) {
    const deed = { action: 'recording.upload', details: `watch folder, ${describeUpload(recording)}` }
    await insertRecordingEvents(deps.connection, [recording], deed)
  }
  const upload = { ...input, name: decoded, extension: requireExtension(decoded) }
  return (await storeUpload(deps, upload, { share, signal, requireOwner, recordUpload })).id
}

function describeName(name: Buffer): string | null {
  if (isDecodable(name)) return null
  return `The name of this file is not in UTF-8. In the library it is called "${decodeName(name)}".`
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
