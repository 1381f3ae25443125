import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import { createChangeTracker } from '#data/jobs/change-tracker.ts'
import { findChangedJobs, findChangedRecordings, findLastChange } from '#data/jobs/changes.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { isCausedByUnavailableDatabase } from '#data/database-errors.ts'
import { findDerived } from '#data/library/entries.ts'
import { readLastHolder, saveFollowerPosition } from '#data/followers/follower-lease.ts'
import type { LibraryBackgroundTask, LibraryStep } from './changed-recording.ts'
import { deriveRecording } from './derive-recording.ts'
import { createFailedChanges, type FoundChange } from './failed-changes.ts'
import { createHeldLease, type HeldLease } from './held-lease.ts'

/** The follower that derives the library from recordings and jobs. */
export const libraryFollower = 'library'

const pollMs = 500
/** Another process takes over only if the last one has not extended its lease for this long after something happened. */
const takeOverDelayMs = 5_000
/** Changes per query while catching up with earlier writes. */
const pageSize = 500
/** Numbers this close to the last one may still become visible: see change-tracker.ts. */
const unsettledChanges = 100

interface FollowerOptions {
  queue: Queue
  /** Identifies this process among those that can follow changes. */
  holder: string
  /** Run one after the other for each changed recording. */
  steps: LibraryStep[]
  /** Run while nothing has changed. */
  backgroundTasks: LibraryBackgroundTask[]
  drain: AbortSignal
  log: Logger
  /** Called after changes have been handled. */
  onHandled?: () => void
}

interface FollowChangesOptions extends FollowerOptions {
  activity: Activity
  /** Returns the milliseconds until a background task has work. Called at rest. Default: never. */
  dueInMs?: () => Promise<number>
}

/** Follows changes until `drain` aborts; then `stopped` resolves. At rest it neither asks for changes nor holds the lease. */
export function followChanges(options: FollowChangesOptions): { stopped: Promise<void> } {
  const { queue, holder, activity, drain, log, dueInMs = async () => Infinity } = options
  const follower = createFollower({
    ...options,
    onHandled() {
      // Servers send out derived data, such as webhooks.
      void activity.announce()
      activity.wakeAll()
    },
  })
  /** The last lease of another process, and the time since which this process has seen it unchanged. */
  let other: { lease: string; sinceMs: number } | undefined

  /**
   * At rest every lease ends. The process that followed last continues, so that not every change starts another check of the library; other
   * processes take over if it is gone.
   */
  async function isOwnTurn(): Promise<boolean> {
    if (follower.isFollowing()) return true
    const last = await readLastHolder(queue.connection, libraryFollower)
    if (!last || last.holder === holder) return true
    const lease = `${last.holder} ${last.leaseUntil.getTime()}`
    if (other?.lease !== lease) other = { lease, sinceMs: performance.now() }
    return performance.now() - other.sinceMs >= takeOverDelayMs
  }

  async function pollInTurn(): Promise<boolean> {
    try {
      return (await isOwnTurn()) && (await follower.poll())
    } catch (err) {
      log.warn({ err }, 'the changes of recordings could not be followed; trying again')
      activity.keepActive()
      return false
    }
  }

  async function waitForNext(): Promise<void> {
    const isResting = !activity.isActive()
    const dueMs = isResting ? Math.min(follower.retryInMs(), await dueInMs().catch(() => 0)) : 0
    await activity.wait({ activeMs: pollMs, restMs: Math.max(pollMs, dueMs), signal: drain })
    if (isResting) other = undefined
  }

  async function run() {
    while (!drain.aborted) if (!(await pollInTurn())) await waitForNext()
    await follower.release().catch(() => undefined)
  }

  return { stopped: run() }
}

/**
 * Creates a follower of all changes to recordings and to the states of their jobs, which runs the steps for each; only one process across
 * all hosts follows at a time. Its position is stored after the steps, so a killed process skips nothing, and repeats at most the changes
 * of the last 15 s and those since a failed change.
 */
export function createFollower({ queue, holder, steps, backgroundTasks, drain, log, onHandled }: FollowerOptions) {
  const { connection } = queue
  const key = { name: libraryFollower, holder }
  const lease = createHeldLease(connection, key)
  const failed = createFailedChanges()
  let tracker: ReturnType<typeof createChangeTracker> | undefined
  /** How far this process has caught up with earlier writes. */
  let caughtUpTo: number | undefined
  /** The stored position. */
  let stored: number | undefined
  let tenure: HeldLease | undefined

  /** Returns whether this process is the one that follows. */
  async function hold(): Promise<boolean> {
    const held = await lease.hold()
    if (held !== tenure) begin(held)
    return held !== undefined
  }

  function begin(next: HeldLease | undefined): void {
    tenure = next
    tracker = undefined
    caughtUpTo = undefined
    stored = next?.after
    failed.clear()
  }

  /** Handles what has changed since the last call. Returns whether there may be more to do right away. */
  async function poll(): Promise<boolean> {
    if (!(await hold()) || !tenure) return false
    const { signal } = tenure
    if (!tracker) {
      caughtUpTo ??= stored ?? 0
      const settled = (await findLastChange(queue)) - unsettledChanges
      if (caughtUpTo < settled) return catchUp(caughtUpTo, settled)
      tracker = createChangeTracker(settled + unsettledChanges)
    }
    if (await handleNewChanges(tracker)) return false
    return runBackgroundTask(backgroundTasks, { lease: signal, log })
  }

  /** Handles one page of earlier writes; all of them are settled. */
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
    // A job's progress does not affect derived data.
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

  /** A failed change is handled again by a process that starts following later. */
  async function savePosition(end: number): Promise<void> {
    const after = failed.handledUpTo(end)
    if (after === stored) return
    if (await saveFollowerPosition(connection, key, after)) stored = after
    else lease.end()
  }

  /** Runs the steps once for each recording. Returns false if this process stops or another takes over before the last. */
  async function handle(changes: FoundChange[]): Promise<boolean> {
    const byId = new Map(changes.map((change) => [change.recordingId, change]))
    const begun = tenure
    for (const change of byId.values()) {
      if (drain.aborted || !(await hold()) || tenure !== begun) return false
      await handleOne(change)
    }
    if (byId.size > 0) onHandled?.()
    return true
  }

  async function handleOne(found: FoundChange): Promise<void> {
    const { recordingId, ownerId } = found
    try {
      await deriveRecording(queue, steps, { id: recordingId, ownerId })
      failed.remove(recordingId)
    } catch (err) {
      // This says nothing about the recording: nothing is marked as seen, and the next poll starts with it.
      if (isCausedByUnavailableDatabase(err)) throw err
      const attempt = failed.add(found, performance.now())
      log.error({ err, recordingId, attempt }, 'the library entry of a recording could not be written')
    }
  }

  return {
    poll,
    isFollowing: () => lease.current() !== undefined,
    /** Returns the milliseconds until a failed change is handled again; Infinity if none failed. */
    retryInMs: () => failed.dueInMs(performance.now()),
    release: lease.release,
  }
}

/** Runs the first task that has work; a failed one does not hold up the others. Returns whether there may be more to do right away. */
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

/** Returns the last number on a full page that no document on the next page can have: one write may give many documents the same number. */
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
