import type { Activity } from '#data/activity.ts'
import {
  findChangedJobs,
  findChangedRecordings,
  findLastChange,
  readJobs,
  type RecordingChange,
} from '#data/jobs/changes.ts'
import { listReaders } from '#data/cases/recording-grants.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { createChangeTracker } from '#data/jobs/change-tracker.ts'

export interface FeedListener {
  ownerId: string
  onJob: (job: JobRecord) => void
  /** Includes other users' recordings that this user may read as a member of a case. */
  onRecording?: (change: RecordingChange) => void
  /** Work has begun or ended on somebody else's recording that this user may read. */
  onSharedWork?: (recordingId: string) => void
  /** A job of some user has started, ended or been requeued: positions in the queue may have changed. */
  onQueueChange?: () => void
}

/**
 * Notifies listeners in this process of changes in the database. Polls every 500 ms using one index per collection, but only while somebody
 * is listening and something is happening, and reads only the changed jobs that somebody follows.
 */
export interface JobFeed {
  /** Returns an unsubscribe function. */
  listen(listener: FeedListener): () => void
  /** Resolves once every later change is certain to be announced to the listeners; earlier changes never are. */
  started(): Promise<void>
  close(): void
}

interface FeedOptions {
  queue: Queue
  activity: Pick<Activity, 'wait' | 'keepActive'>
  /** Receives the error of a failed poll; the next poll catches up. */
  onError: (error: unknown) => void
  /** Default 500 ms. */
  intervalMs?: number
}

export function createJobFeed({ queue, activity, onError, intervalMs = 500 }: FeedOptions): JobFeed {
  const listeners = new Set<FeedListener>()
  let tracker: ReturnType<typeof createChangeTracker> | undefined
  let start = Promise.withResolvers<void>()
  let isPolling = false

  async function poll() {
    while (listeners.size > 0) {
      try {
        await readChanges()
      } catch (error) {
        onError(error)
        activity.keepActive()
      }
      if (listeners.size > 0) await activity.wait({ activeMs: intervalMs })
    }
    isPolling = false
    reset()
  }

  function reset() {
    if (!tracker) return
    tracker = undefined
    start = Promise.withResolvers<void>()
  }

  /** What is visible now changed before anybody was listening, so it is marked as seen and not announced. */
  async function startTracking() {
    const created = createChangeTracker(await findLastChange(queue))
    created.markSeen((await findChanged(created.after)).flat())
    tracker = created
    start.resolve()
  }

  function findChanged(after: number) {
    return Promise.all([findChangedJobs(queue, after), findChangedRecordings(queue.connection, after)])
  }

  async function readChanges() {
    if (!tracker) return startTracking()
    const [jobs, recordings] = await findChanged(tracker.after)
    const followedOwners = new Set([...listeners].map(({ ownerId }) => ownerId))
    const newJobs = jobs.filter((job) => tracker?.isNew(job))
    const followedIds = newJobs.filter(({ ownerId }) => followedOwners.has(ownerId)).map(({ id }) => id)
    // Read before anything is marked as seen, so that the next poll makes up for a failure here.
    const followedJobs = await readJobs(queue, followedIds)
    const newRecordings = recordings.filter((recording) => tracker?.isNew(recording))
    const newStates = newJobs.filter((job) => tracker?.hasChangedState(job))
    const sharedWork = [...new Set(newStates.flatMap(({ recordingId }) => recordingId ?? []))]
    const readers = await listReaders(queue.connection, [...newRecordings.map(({ id }) => id), ...sharedWork])
    const hasQueueChanged = newStates.length > 0
    tracker.markSeen([...jobs, ...recordings])
    for (const job of followedJobs) notify(job.ownerId, (listener) => listener.onJob(job))
    for (const change of newRecordings) {
      notify(change.ownerId, (listener) => listener.onRecording?.(change))
      notifyReaders(readers.get(change.id), (listener) => listener.onRecording?.(change))
    }
    for (const id of sharedWork) notifyReaders(readers.get(id), (listener) => listener.onSharedWork?.(id))
    if (hasQueueChanged) for (const listener of listeners) listener.onQueueChange?.()
  }

  function notify(ownerId: string, call: (listener: FeedListener) => void) {
    for (const listener of listeners) if (listener.ownerId === ownerId) call(listener)
  }

  function notifyReaders(readers: ReadonlySet<string> | undefined, call: (listener: FeedListener) => void) {
    for (const listener of listeners) if (readers?.has(listener.ownerId)) call(listener)
  }

  return {
    listen(listener) {
      listeners.add(listener)
      if (!isPolling) void Promise.resolve().then(poll)
      isPolling = true
      return () => listeners.delete(listener)
    },
    started: () => start.promise,
    close() {
      listeners.clear()
    },
  }
}
