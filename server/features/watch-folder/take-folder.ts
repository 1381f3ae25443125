import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { BatchRequest } from '#contract/batches.ts'
import { addRecordingToCase } from '#data/cases/case-recordings.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import type { Users } from '../users/service.ts'
import { findRecipient, type Recipient } from './find-recipient.ts'
import { FolderProblem, readFolderSettings, type FolderSettings } from './folder-settings.ts'
import { assertMovable, doneFolder, failedFolder, moveBeside, writeProblem } from './move-file.ts'
import { takeFile, type TakeDeps } from './take-file.ts'

export interface FolderDeps extends TakeDeps {
  queue: Queue
  /** Absolute. Each folder in it is named by a user's e-mail address, or by a case. */
  folder: string
  users: Pick<Users, 'findById' | 'findByEmail'>
  startBatch: (ownerId: string, request: BatchRequest) => Promise<unknown>
  log: Logger
}

interface TakenRecording {
  path: string
  recordingId: string
  /** Set where the library had the recording before. */
  note: string | null
  /** When the file was changed last, as it was taken. */
  modifiedMs: number
  sizeBytes: number
  sha256: string
}

/** Files of a folder that were not taken: those of `again` at once, the others after a while. */
export interface NotTaken {
  again: string[]
  later: string[]
}

interface TakeOptions {
  signal: AbortSignal
  /** Returns whether this server still takes the files. */
  holdLease: () => Promise<boolean>
}

/**
 * Returns a function that takes files of one folder in. A file is stored first, then added to its case, then given to a batch, then moved:
 * after a crash at any point it is found again and the rest is done, and nothing twice. It throws where no file of the folder can be taken.
 */
export function createFolderTaker(deps: FolderDeps, { signal, holdLease }: TakeOptions) {
  const { folder, connection, users, log } = deps
  /** What was taken and not moved yet, by path. */
  const unfinished = new Map<string, TakenRecording>()
  /** Recordings whose batch is started and whose files could not be moved yet. */
  const started = new Set<string>()

  async function takeFolder(path: string, files: string[]): Promise<NotTaken> {
    const [name, ...below] = relative(folder, path).split(sep)
    if (!name)
      throw new FolderProblem('Put recordings into a folder that is named by a user’s e-mail address or a case.')
    const recipient = await findRecipient({ connection, users }, name)
    const folders = below.map((_, index) => join(folder, name, ...below.slice(0, below.length - index)))
    const settings = await readFolderSettings([...folders, join(folder, name)])
    await assertMovable(folder, path)
    await writeProblem(path, null)
    const notTaken: NotTaken = { again: [], later: [] }
    const taken: TakenRecording[] = []
    for (const file of files) {
      if (signal.aborted || !(await holdLease())) notTaken.again.push(file)
      else await takeOne(recipient.ownerId, file, { taken, later: notTaken.later })
    }
    // A file that goes on changing must not keep this busy.
    if (taken.length > 0) notTaken.later.push(...(await finish(recipient, settings, taken)))
    return notTaken
  }

  async function takeOne(
    ownerId: string,
    path: string,
    { taken, later }: { taken: TakenRecording[]; later: string[] },
  ): Promise<void> {
    try {
      const outcome = await takeFile(deps, ownerId, path, signal)
      if (outcome.state === 'refused') await moveBeside(path, failedFolder, outcome.reason)
      if (outcome.state !== 'taken') return
      const recording = { path, ...outcome }
      await removeIncomplete(ownerId, recording)
      unfinished.set(path, recording)
      taken.push(recording)
    } catch (err) {
      if (signal.aborted) return
      later.push(path)
      log.warn({ err, ownerId }, 'a file of the watch folder could not be taken in; it is tried again')
    }
  }

  /** A file that grew after it was taken is another recording now; what was taken of it before was a part. */
  async function removeIncomplete(ownerId: string, { path, recordingId }: TakenRecording) {
    const before = unfinished.get(path)
    if (!before || before.note !== null || before.recordingId === recordingId) return
    // Another file of the same name is another recording.
    if (await beginsWith(path, before)) await removeRecording(deps, ownerId, before.recordingId)
  }

  /** The last steps of files that are stored: repeating them changes nothing. Returns the files that have changed meanwhile. */
  async function finish(
    { ownerId, caseId }: Recipient,
    settings: FolderSettings,
    taken: TakenRecording[],
  ): Promise<string[]> {
    for (const { recordingId } of taken) {
      if (caseId) await addRecordingToCase(connection, { caseId, userId: ownerId, recordingId })
    }
    const ids = taken.flatMap(({ recordingId }) => (started.has(recordingId) ? [] : recordingId))
    const workNote = ids.length > 0 ? await startWork(deps, { ownerId, ids, settings }) : null
    for (const id of ids) started.add(id)
    const changed: string[] = []
    for (const { path, recordingId, note, modifiedMs } of taken) {
      if ((await lstat(path)).mtimeMs !== modifiedMs) {
        changed.push(path)
        continue
      }
      const notes = [note, workNote].filter((sentence) => sentence !== null)
      await moveBeside(path, doneFolder, notes.length > 0 ? notes.join('\n') : null)
      unfinished.delete(path)
      started.delete(recordingId)
    }
    log.info({ ownerId, count: taken.length }, 'recordings were taken in from the watch folder')
    return changed
  }

  return takeFolder
}

/** Returns whether the first bytes of a file are those that were taken before. */
async function beginsWith(path: string, { sizeBytes, sha256 }: TakenRecording): Promise<boolean> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { end: sizeBytes - 1 }), hash)
  return hash.digest('hex') === sha256
}

interface FolderWork {
  ownerId: string
  /** Of recordings. */
  ids: string[]
  settings: FolderSettings
}

/**
 * Starts what the folder's settings ask for. Returns a sentence where no model can do it; throws where it may work later, as when the owner
 * has too many batches.
 */
async function startWork(
  { startBatch }: Pick<FolderDeps, 'startBatch'>,
  { ownerId, ids, settings }: FolderWork,
): Promise<string | null> {
  const { transcribe, target_languages, language, channel_languages } = settings
  if (!transcribe) return null
  try {
    const selection = { ids: [...new Set(ids)] }
    await startBatch(ownerId, { selection, transcribe: { language, channel_languages }, target_languages, redo: false })
    return null
  } catch (error) {
    if (!(error instanceof AppError) || !impossibleCodes.includes(error.code)) throw error
    return `The recording is in the library, but it is not transcribed: ${[error.message, error.help].filter(Boolean).join(' ')}`
  }
}

/** Codes of what no later try can change. */
const impossibleCodes: readonly string[] = ['unsupported_language', 'unsupported_pair', 'model_unavailable']
