import type { Types } from 'mongoose'
import {
  findChangedJobs,
  findChangedRecordings,
  findLastChange,
  readJobs,
  type RecordingChange,
} from '#data/jobs/changes.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { createChangeMemory } from './change-memory.ts'

export interface FeedListener {
  ownerId: Types.ObjectId
  onJob: (job: JobRecord) => void
  onRecording?: (change: RecordingChange) => void
  /** Some job of anyone began, ended or came back: places in the queue may have moved. */
  onQueueMoved?: () => void
}

/**
 * What changed in the database, told to whoever listens in this process. It looks every 500 ms by one index a collection, and only
 * while somebody listens; of what changed it reads what somebody listens to.
 */
export interface JobFeed {
  /** Answers how to stop listening. */
  listen(listener: FeedListener): () => void
  close(): void
}

interface FeedOptions {
  queue: Queue
  /** Hears of a look that failed; the next one catches up. */
  onError: (error: unknown) => void
  /** Default 500 ms. */
  intervalMs?: number
}

export function createJobFeed({ queue, onError, intervalMs = 500 }: FeedOptions): JobFeed {
  const listeners = new Set<FeedListener>()
  let memory: ReturnType<typeof createChangeMemory> | undefined
  let timer: NodeJS.Timeout | undefined

  async function look() {
    try {
      await lookOnce()
    } catch (error) {
      onError(error)
    }
    timer = undefined
    if (listeners.size > 0) timer = setTimeout(look, intervalMs)
    else memory = undefined
  }

  async function lookOnce() {
    memory ??= createChangeMemory(await findLastChange(queue))
    const { after } = memory
    const [jobs, recordings] = await Promise.all([
      findChangedJobs(queue, after),
      findChangedRecordings(queue.connection, after),
    ])
    const listenedTo = new Set([...listeners].map(({ ownerId }) => ownerId.toHexString()))
    const newJobs = jobs.filter((job) => memory?.isNew(job))
    // Read before anything is marked as told: a look that fails here is made up for by the next.
    const known = await readJobs(
      queue,
      newJobs.filter(({ ownerId }) => listenedTo.has(ownerId.toHexString())).map(({ _id }) => _id),
    )
    const newRecordings = recordings.filter((recording) => memory?.isNew(recording))
    const hasMoved = newJobs.some((job) => memory?.hasMoved(job))
    memory.learn([...jobs, ...recordings])
    for (const job of known) notify(job.ownerId, (listener) => listener.onJob(job))
    for (const change of newRecordings) notify(change.ownerId, (listener) => listener.onRecording?.(change))
    if (hasMoved) for (const listener of listeners) listener.onQueueMoved?.()
  }

  function notify(ownerId: Types.ObjectId, call: (listener: FeedListener) => void) {
    for (const listener of listeners) if (listener.ownerId.equals(ownerId)) call(listener)
  }

  return {
    listen(listener) {
      listeners.add(listener)
      timer ??= setTimeout(look, 0)
      return () => listeners.delete(listener)
    },
    close() {
      listeners.clear()
      clearTimeout(timer)
    },
  }
}
