import type { Logger } from 'pino'
import { insertRecordingEvents } from '#data/audit/recording-events.ts'
import { addRecordingToCase } from '#data/cases/case-recordings.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listUploadTimes } from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { findRecipient, type BindingDeps, type FolderRecipient } from './bindings.ts'
import { FolderProblem } from './folder-problem.ts'
import { readFolderSettings, type FolderSettings } from './folder-settings.ts'
import type { IngestOutcome, FolderTurn } from './file-queue.ts'
import { assertMovable, moveBeside, writeProblem } from './move-file.ts'
import { doneFolder, failedFolder, keyOf, type PathComponents } from './names.ts'
import { withFolders, type FolderHandle } from './folder-handle.ts'
import { hashBeginning } from './read-file.ts'
import { describeFailure } from './describe-failure.ts'
import { startWork, type StartBatch } from './start-work.ts'
import { ingestFile, type IngestDeps, type TakenContent } from './ingest-file.ts'

export interface IngestFolderDeps extends IngestDeps, BindingDeps {
  queue: Queue
  startBatch: StartBatch
  log: Logger
}

interface IngestOptions {
  signal: AbortSignal
  /** Returns whether the turn continues: this server still takes the files, and no other folder has waited for long. */
  canContinue: (turn: FolderTurn, taken: number) => Promise<boolean>
}

interface TakenRecording extends TakenContent {
  name: Buffer
  key: string
}

/**
 * Returns a function that imports the files of one folder. A file is stored first, then added to its case, then given to a batch, then
 * moved: after a crash at any point the remaining steps are done, and none is repeated. It throws where no file of the folder can be taken;
 * what fails with one file does not affect the others.
 */
export function createFolderIngester(deps: IngestFolderDeps, { signal, canContinue }: IngestOptions) {
  const { log } = deps
  /** What was taken and not moved yet, by path. */
  const unfinished = new Map<string, TakenRecording>()
  /** Recordings whose batch is started and whose files could not be moved yet. */
  const started = new Set<string>()

  async function ingestFolder(root: FolderHandle, turn: FolderTurn): Promise<IngestOutcome[]> {
    const [top] = turn.folder
    if (!top)
      throw new FolderProblem('Put recordings into a folder that is named by a user’s e-mail address or a case.')
    const recipient = await findRecipient(deps, top)
    return await withFolders(root, turn.folder, async (folders) => {
      const settings = await readFolderSettings(folders)
      const folder = folders.at(-1) ?? root
      await assertMovable(folder)
      await writeProblem(folder, null)
      return await ingestFiles(folder, turn, { recipient, settings })
    })
  }

  async function ingestFiles(
    folder: FolderHandle,
    turn: FolderTurn,
    { recipient, settings }: { recipient: FolderRecipient; settings: FolderSettings },
  ): Promise<IngestOutcome[]> {
    const outcomes: IngestOutcome[] = []
    const taken: TakenRecording[] = []
    for (const [index, name] of turn.names.entries()) {
      if (signal.aborted || !(await canContinue(turn, index))) break
      const outcome = await ingestOne(folder, turn.folder, { name, ownerId: recipient.ownerId, taken })
      if (outcome) outcomes.push(outcome)
    }
    if (taken.length > 0) outcomes.push(...(await finish(folder, taken, { recipient, settings })))
    const begun = new Set(outcomes.map(({ name }) => keyOf([name])))
    const rest = turn.names.filter((name) => !begun.has(keyOf([name])))
    return [...outcomes, ...rest.map((name) => ({ name, state: 'untouched' as const }))]
  }

  /** Adds a file that is now a recording to `taken`, and returns the outcome of any other. */
  async function ingestOne(
    folder: FolderHandle,
    path: PathComponents,
    { name, ownerId, taken }: { name: Buffer; ownerId: string; taken: TakenRecording[] },
  ): Promise<IngestOutcome | undefined> {
    try {
      const outcome = await ingestFile(deps, ownerId, { folder, name }, signal)
      if (outcome.state === 'changing') return { name, state: 'changing' }
      if (outcome.state === 'refused') {
        await moveBeside(folder, name, { to: failedFolder, note: outcome.reason })
        return { name, state: 'refused' }
      }
      const key = keyOf([...path, name])
      const before = unfinished.get(key)
      const isSame = before?.recordingId === outcome.recordingId
      if (before && !isSame) await removeIncomplete(deps, { folder, name, ownerId }, before)
      // On a retry the library has the recording already. The owner should get the first note, not a duplicate notice.
      const { note, isKnown } = isSame ? before : outcome
      const recording = { ...outcome, note, isKnown, name, key }
      unfinished.set(key, recording)
      taken.push(recording)
      return undefined
    } catch (err) {
      return signal.aborted ? { name, state: 'untouched' } : postpone(deps, { name, ownerId }, err)
    }
  }

  /** The last steps of files that are stored: repeating them changes nothing. */
  async function finish(
    folder: FolderHandle,
    taken: TakenRecording[],
    { recipient, settings }: { recipient: FolderRecipient; settings: FolderSettings },
  ): Promise<IngestOutcome[]> {
    const { ownerId } = recipient
    const outcomes: IngestOutcome[] = []
    let workNote: string | null
    try {
      await addToCase(deps, recipient, taken)
      const ids = taken.flatMap(({ recordingId }) => (started.has(recordingId) ? [] : recordingId))
      workNote = ids.length > 0 ? await startWork(deps, { ownerId, ids, settings }) : null
      for (const id of ids) started.add(id)
    } catch (err) {
      return taken.map(({ name }) => postpone(deps, { name, ownerId }, err))
    }
    for (const recording of taken) outcomes.push(await moveDone(folder, recording, { ownerId, workNote }))
    log.info({ ownerId, count: taken.length }, 'recordings were imported from the watch folder')
    return outcomes
  }

  async function moveDone(
    folder: FolderHandle,
    { name, key, recordingId, note, modifiedNs }: TakenRecording,
    { ownerId, workNote }: { ownerId: string; workNote: string | null },
  ): Promise<IngestOutcome> {
    try {
      const now = await folder.lookUp(name)
      if (now?.mtimeNs !== modifiedNs) return { name, state: 'changing' }
      const notes = [note, workNote].filter((sentence) => sentence !== null)
      await moveBeside(folder, name, { to: doneFolder, note: notes.length > 0 ? notes.join('\n') : null })
      unfinished.delete(key)
      started.delete(recordingId)
      return { name, state: 'taken' }
    } catch (err) {
      return postpone(deps, { name, ownerId }, err)
    }
  }

  return ingestFolder
}

function postpone(
  { log }: IngestFolderDeps,
  { name, ownerId }: { name: Buffer; ownerId: string },
  err: unknown,
): IngestOutcome {
  log.warn({ err, ownerId }, 'a file of the watch folder could not be imported; it is tried again')
  return { name, state: 'later', reason: describeFailure(err) }
}

/** Adds recordings to the case of their folder, with an audit event for each. */
async function addToCase(
  deps: IngestFolderDeps,
  { ownerId, caseId }: FolderRecipient,
  taken: TakenRecording[],
): Promise<void> {
  if (caseId === null) return
  const { connection } = deps
  const added: string[] = []
  for (const { recordingId } of taken) {
    const outcome = await addRecordingToCase(connection, { caseId, userId: ownerId, recordingId })
    if (outcome === 'added') added.push(recordingId)
  }
  const deed = { action: 'case.recording_add', details: `case ${caseId}, watch folder` }
  await insertRecordingEvents(connection, await listUploadTimes(connection, ownerId, added), deed)
}

/** Removes the recording of an incomplete file: a file that grew after import is imported as a new recording. */
async function removeIncomplete(
  deps: IngestFolderDeps,
  { folder, name, ownerId }: { folder: FolderHandle; name: Buffer; ownerId: string },
  before: TakenRecording,
): Promise<void> {
  if (before.isKnown) return
  // A different file with the same name is not touched. A partial recording on legal hold is kept beside the complete one.
  if (await beginsWith(folder, name, before))
    await removeRecording(deps, ownerId, before.recordingId, { details: 'watch folder' })
}

/** Returns whether the first bytes of a file are those that were taken before. */
async function beginsWith(folder: FolderHandle, name: Buffer, { sizeBytes, sha256 }: TakenRecording): Promise<boolean> {
  const file = await folder.openFile(name)
  try {
    return (await hashBeginning(file, sizeBytes)) === sha256
  } finally {
    await file.close()
  }
}
