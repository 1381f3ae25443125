import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createChangeTracker } from '#data/jobs/change-tracker.ts'
import { findChangedJobs, findChangedRecordings, findLastChange } from '#data/jobs/changes.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { isCausedByUnavailableDatabase } from '#data/database-errors.ts'
import { findDerived } from '#data/library/entries.ts'
import { holdFollowerLease, releaseFollowerLease, saveFollowerPosition } from '#data/followers/follower-lease.ts'
import type { LibraryBackgroundTask, LibraryStep } from './changed-recording.ts'
import { deriveRecording } from './derive-recording.ts'
import { createFailedChanges, type FoundChange } from './failed-changes.ts'

/** The follower that derives the library from recordings and jobs. */
export const libraryFollower = 'library'

const pollMs = 500
/** Changes per query while catching up with what was written before. */
const pageSize = 500
/** Numbers this close to the last one may still become visible: see change-tracker.ts. */
const unsettledChanges = 100

interface FollowerOptions {
  queue: Queue
  /** Names this process among those that could follow. */
  holder: string
  /** Run one after the other for each changed recording. */
  steps: LibraryStep[]
  /** Run while nothing has changed. */
  backgroundTasks: LibraryBackgroundTask[]
  drain: AbortSignal
  log: Logger
}

/** Follows changes until `drain` aborts, then `stopped` resolves. */
export function followChanges(options: FollowerOptions): { stopped: Promise<void> } {
  const { drain, log } = options
  const follower = createFollower(options)

  async function run() {
    while (!drain.aborted) {
      const isBusy = await follower.poll().catch((err: unknown) => {
        log.warn({ err }, 'the changes of recordings could not be followed; trying again')
        return false
      })
      if (!isBusy) await sleep(pollMs, undefined, { signal: drain }).catch(() => undefined)
    }
    await follower.release().catch(() => undefined)
  }

  return { stopped: run() }
}

/**
 * Creates what follows all changes of recordings and the states of their jobs, one process of all hosts at a time, and runs the steps for
 * each. How far it came is stored after the steps, so a killed process leaves nothing out and repeats at most the changes of the last 15 s,
 * and those since one that fails.
 */
export function createFollower({ queue, holder, steps, backgroundTasks, drain, log }: FollowerOptions) {
  const { connection } = queue
  const lease = { name: libraryFollower, holder }
  const failed = createFailedChanges()
  let tracker: ReturnType<typeof createChangeTracker> | undefined
  /** How far this process has come with what was written before. */
  let caughtUpTo: number | undefined
  /** The position that is stored. */
  let stored: number | undefined
  /** Aborted when the lease is lost. */
  let following: AbortController | undefined

  /** Handles what changed since the last call. Returns whether there may be more to do at once. */
  async function poll(): Promise<boolean> {
    const after = await holdFollowerLease(connection, lease)
    if (after === null) {
      tracker = undefined
      caughtUpTo = undefined
      failed.clear()
      following?.abort()
      following = undefined
      return false
    }
    following ??= new AbortController()
    if (!tracker) {
      stored = after
      caughtUpTo ??= after
      const settled = (await findLastChange(queue)) - unsettledChanges
      if (caughtUpTo < settled) return catchUp(caughtUpTo, settled)
      tracker = createChangeTracker(settled + unsettledChanges)
    }
    if (await handleNewChanges(tracker)) return false
    return runBackgroundTask(backgroundTasks, { lease: following.signal, log })
  }

  /** Handles one page of what was written before; all of it is settled. */
  async function catchUp(after: number, settled: number): Promise<boolean> {
    const [jobs, recordings] = await Promise.all([
      findChangedJobs(queue, after, pageSize),
      findChangedRecordings(connection, after, pageSize),
    ])
    const ends = [jobs, recordings].map((page) => (page.length < pageSize ? settled : lastWhole(page, settled)))
    const end = Math.min(settled, ...ends)
    const isHandled = await handle(toFound(jobs, recordings, (change) => change <= end))
    if (isHandled) {
      caughtUpTo = end
      await savePosition(end)
    }
    return isHandled
  }

  /** Returns whether something had changed. */
  async function handleNewChanges(seen: ReturnType<typeof createChangeTracker>): Promise<boolean> {
    const { after } = seen
    const [jobs, recordings] = await Promise.all([
      findChangedJobs(queue, after),
      findChangedRecordings(connection, after),
    ])
    // Progress changes nothing that is derived.
    const newJobs = jobs.filter((job) => seen.isNew(job) && seen.hasChangedState(job))
    const newRecordings = recordings.filter(seen.isNew)
    const derived = await findDerived(connection, newRecordings)
    const left = newRecordings.filter(({ id }) => !derived.has(id))
    const found = toFound(newJobs, left, () => true)
    if (!(await handle([...found, ...failed.findDue(performance.now())]))) return true
    seen.markSeen([...jobs, ...recordings])
    await savePosition(seen.after)
    return found.length > 0
  }

  /** A change that fails is handled again by a process that begins later. */
  async function savePosition(end: number): Promise<void> {
    const after = failed.handledUpTo(end)
    if (after === stored) return
    if (!(await saveFollowerPosition(connection, lease, after))) tracker = undefined
    stored = after
  }

  /** Runs the steps once for each recording. Returns false where this process stops, or another one follows, before the last. */
  async function handle(changes: FoundChange[]): Promise<boolean> {
    const byId = new Map(changes.map((change) => [change.recordingId, change]))
    for (const change of byId.values()) {
      if (drain.aborted || (await holdFollowerLease(connection, lease)) === null) return false
      await handleOne(change)
    }
    return true
  }

  async function handleOne(found: FoundChange): Promise<void> {
    const { recordingId, ownerId } = found
    try {
      await deriveRecording(queue, steps, { id: recordingId, ownerId })
      failed.remove(recordingId)
    } catch (err) {
      // It says nothing about the recording: nothing is marked as seen, and the next poll begins with it.
      if (isCausedByUnavailableDatabase(err)) throw err
      const attempt = failed.add(found, performance.now())
      log.error({ err, recordingId, attempt }, 'the library entry of a recording could not be written')
    }
  }

  return { poll, release: () => releaseFollowerLease(connection, lease) }
}

/** Runs the first task that has work; one that fails holds up none of the others. Returns whether there may be more to do at once. */
async function runBackgroundTask(
  tasks: LibraryBackgroundTask[],
  { lease, log }: { lease: AbortSignal; log: Logger },
): Promise<boolean> {
  let hasFailed = false
  for (const task of tasks) {
    try {
      if (await task(lease)) return !hasFailed
    } catch (err) {
      hasFailed = true
      log.warn({ err }, 'work in the background failed; trying again')
    }
  }
  return false
}

/** Returns the last number of a full page of which no document can be on the next one: one write may give many the same. */
function lastWhole(page: { change: number }[], settled: number): number {
  const last = page.at(-1)?.change ?? settled
  return page[0]?.change === last ? last : last - 1
}

function toFound(
  jobs: { recordingId: string | null; ownerId: string; change: number }[],
  recordings: { id: string; ownerId: string; change: number }[],
  isIncluded: (change: number) => boolean,
): FoundChange[] {
  return [
    ...recordings.map(({ id, ...change }) => ({ ...change, recordingId: id })),
    ...jobs.flatMap(({ recordingId, ...change }) => (recordingId ? [{ ...change, recordingId }] : [])),
  ].filter(({ change }) => isIncluded(change))
}
