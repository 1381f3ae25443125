import type { Types } from 'mongoose'
import { findChangedJobs, findChangedRecordings, type RecordingChange } from '#data/queue/changes.ts'
import { readDatabaseTime } from '#data/queue/database-time.ts'
import type { JobRecord } from '#data/queue/job-model.ts'
import type { Queue } from '#data/queue/queue.ts'

export interface FeedListener {
  ownerId: Types.ObjectId
  onJob: (job: JobRecord) => void
  onRecording?: (change: RecordingChange) => void
  /** Some job of anyone began, ended or came back: places in the queue may have moved. */
  onQueueMoved?: () => void
}

/**
 * What changed in the database, told to whoever listens in this process. It looks every 500 ms by one index a collection, and only
 * while somebody listens.
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

/** How far each look reaches back behind the last: writes are not seen in the order of their times. */
const overlapMs = 2_000

export function createJobFeed({ queue, onError, intervalMs = 500 }: FeedOptions): JobFeed {
  const listeners = new Set<FeedListener>()
  const memory = createMemory()
  let after: Date | undefined
  let timer: NodeJS.Timeout | undefined

  async function look() {
    try {
      await lookOnce()
    } catch (error) {
      onError(error)
    }
    timer = undefined
    if (listeners.size > 0) timer = setTimeout(look, intervalMs)
    else reset()
  }

  async function lookOnce() {
    after ??= new Date((await readDatabaseTime(queue.connection)).getTime() - overlapMs)
    const [jobs, recordings] = await Promise.all([
      findChangedJobs(queue, after),
      findChangedRecordings(queue.connection, after),
    ])
    const newJobs = jobs.map((job) => ({ job, news: memory.learn(job) })).filter(({ news }) => news !== 'known')
    for (const { job } of newJobs) tell(job.ownerId, (listener) => listener.onJob(job))
    for (const recording of recordings) {
      if (memory.learn(recording) !== 'known') tell(recording.ownerId, (listener) => listener.onRecording?.(recording))
    }
    if (newJobs.some(({ news }) => news === 'moved')) for (const listener of listeners) listener.onQueueMoved?.()
    moveOn([...jobs, ...recordings])
  }

  function tell(ownerId: Types.ObjectId, call: (listener: FeedListener) => void) {
    for (const listener of listeners) if (listener.ownerId.equals(ownerId)) call(listener)
  }

  function moveOn(changes: { changedAt: Date }[]) {
    const newest = Math.max(...changes.map(({ changedAt }) => changedAt.getTime()))
    const next = new Date(newest - overlapMs)
    if (!after || !(next > after)) return
    after = next
    memory.forgetBefore(next)
  }

  function reset() {
    after = undefined
    memory.forgetBefore(new Date(8.64e15))
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

interface Change {
  _id: Types.ObjectId
  version: number
  changedAt: Date
  state?: string
}

/** What was told already, of as much as the next look can meet again. */
function createMemory() {
  let seen = new Map<string, Pick<Change, 'version' | 'changedAt' | 'state'>>()
  return {
    /** `moved` when the state is another than last time, or was never seen. */
    learn({ _id, version, changedAt, state }: Change): 'known' | 'changed' | 'moved' {
      const before = seen.get(_id.toHexString())
      if (before?.version === version) return 'known'
      seen.set(_id.toHexString(), { version, changedAt, state })
      return before?.state === state ? 'changed' : 'moved'
    },
    forgetBefore(moment: Date) {
      seen = new Map([...seen].filter(([, { changedAt }]) => changedAt > moment))
    },
  }
}
