import { AppError } from '#contract/app-error.ts'
import type { RecordingChange } from '#data/jobs/changes.ts'
import { readQueuePositions } from '#data/jobs/enqueue.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listRecentJobs } from '#data/jobs/results.ts'
import {
  jobFrame,
  recordingFrame,
  sharedWorkFrame,
  snapshotFrame,
  type JobFrame,
  type Snapshot,
} from './event-frames.ts'
import type { EventStreamWriter } from './event-stream-writer.ts'
import type { JobFeed } from './job-feed.ts'

/** A browser uses one stream for all of its tabs, or one per tab if it cannot share: enough for a few devices and programs. */
export const maxStreamsPerUser = 30

/** The events of one user, shared by all streams: each change is read and serialized once, regardless of the number of streams. */
export interface UserEvents {
  /** Returns all open work and that of the last minute, no older than this call. */
  readSnapshot: () => Promise<Snapshot>
  /** Adds a stream and returns the function that removes it. Throws `too_many_streams`. */
  add: (writer: EventStreamWriter) => () => void
}

interface UserEventsOptions {
  queue: Queue
  feed: JobFeed
  ownerId: string
  /** Called after the last stream is removed. */
  onEmpty: () => void
}

export function createUserEvents({ queue, feed, ownerId, onEmpty }: UserEventsOptions): UserEvents {
  const writers = new Set<EventStreamWriter>()
  /** Waiting jobs with the position that was last sent. */
  const waiting = new Map<string, { job: JobRecord; position: number | null }>()
  let lastTask = Promise.resolve()
  let upcoming: Promise<Snapshot> | undefined

  /** Runs tasks one after another, so that changes keep their order. A failure ends the streams: clients reconnect. */
  function enqueue(task: () => Promise<void> | void) {
    lastTask = lastTask.then(task).catch((error: unknown) => {
      for (const writer of writers) writer.fail(error instanceof Error ? error : new Error(String(error)))
    })
  }

  function present(job: JobRecord, positions: Map<string, number>): JobFrame {
    const position = positions.get(job.id) ?? null
    if (job.state === 'queued') waiting.set(job.id, { job, position })
    else waiting.delete(job.id)
    return jobFrame(job, position)
  }

  function notify(job: JobRecord, positions: Map<string, number>) {
    const frame = present(job, positions)
    for (const writer of writers) writer.onJob(frame)
  }

  async function onJob(job: JobRecord) {
    notify(job, job.state === 'queued' ? await readQueuePositions(queue) : new Map<string, number>())
  }

  function onRecording(change: RecordingChange) {
    const frame = recordingFrame(change)
    for (const writer of writers) writer.onRecording(change.id, frame)
  }

  function onSharedWork(recordingId: string) {
    const frame = sharedWorkFrame(recordingId)
    for (const writer of writers) writer.onRecording(recordingId, frame)
  }

  /** Other users' jobs change positions too. */
  async function onQueueChange() {
    if (waiting.size === 0) return
    const positions = await readQueuePositions(queue)
    for (const [id, { job, position }] of waiting) {
      if (!positions.has(id)) waiting.delete(id)
      else if (positions.get(id) !== position) notify(job, positions)
    }
  }

  async function buildSnapshot(): Promise<Snapshot> {
    upcoming = undefined
    const jobs = await listRecentJobs(queue, ownerId)
    const positions = jobs.some(({ state }) => state === 'queued')
      ? await readQueuePositions(queue)
      : new Map<string, number>()
    return snapshotFrame(jobs.map((job) => present(job, positions)))
  }

  const unsubscribe = feed.listen({
    ownerId,
    onJob: (job) => enqueue(() => onJob(job)),
    onRecording: (change) => enqueue(() => onRecording(change)),
    onSharedWork: (recordingId) => enqueue(() => onSharedWork(recordingId)),
    onQueueChange: () => enqueue(onQueueChange),
  })

  return {
    readSnapshot() {
      // Calls before it is read share one snapshot. It is read in order with the changes, so it is never older than what was sent before.
      upcoming ??= new Promise((resolve, reject) => {
        enqueue(() => buildSnapshot().then(resolve, reject))
      })
      return upcoming
    },
    add(writer) {
      if (writers.size >= maxStreamsPerUser) throw tooManyStreamsError()
      writers.add(writer)
      return () => {
        writers.delete(writer)
        if (writers.size > 0) return
        unsubscribe()
        onEmpty()
      }
    },
  }
}

function tooManyStreamsError() {
  return new AppError(
    'too_many_streams',
    `You follow your work in ${maxStreamsPerUser} places already, the most there may be`,
    {
      help: 'Close tabs or programs that you do not need, then try again.',
    },
  )
}
