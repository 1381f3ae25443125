import type { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { RecordingChange } from '#data/jobs/changes.ts'
import { readQueuePlaces } from '#data/jobs/enqueue.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listRecentJobs } from '#data/jobs/results.ts'
import { jobFrame, recordingFrame, snapshotFrame, type JobFrame, type Snapshot } from './event-frames.ts'
import type { EventReader } from './event-reader.ts'
import type { JobFeed } from './feed.ts'

/** One browser holds one for all of its tabs, or six where it cannot share: enough for a few devices and programs. */
export const maxStreamsPerUser = 30

/** What the streams of one user share: each change is read and written out once, however many streams there are. */
export interface UserEvents {
  /** All work at hand and that of the last minute, as it is after this call. */
  readSnapshot: () => Promise<Snapshot>
  /** Adds a stream; answers how to take it away. Throws `too_many_streams`. */
  add: (reader: EventReader) => () => void
}

interface UserEventsOptions {
  queue: Queue
  feed: JobFeed
  ownerId: Types.ObjectId
  /** Called when the last stream has gone. */
  onEmpty: () => void
}

export function createUserEvents({ queue, feed, ownerId, onEmpty }: UserEventsOptions): UserEvents {
  const readers = new Set<EventReader>()
  /** Those that wait, with the place that was told last. */
  const waiting = new Map<string, { job: JobRecord; place: number | null }>()
  let turn = Promise.resolve()
  let upcoming: Promise<Snapshot> | undefined

  /** One after the other, so that changes keep their order. A failure ends the streams: their readers open new ones. */
  function next(task: () => Promise<void> | void) {
    turn = turn.then(task).catch((error: unknown) => {
      for (const reader of readers) reader.fail(error instanceof Error ? error : new Error(String(error)))
    })
  }

  function present(job: JobRecord, places: Map<string, number>): JobFrame {
    const id = job._id.toHexString()
    const place = places.get(id) ?? null
    if (job.state === 'queued') waiting.set(id, { job, place })
    else waiting.delete(id)
    return jobFrame(job, place)
  }

  function tell(job: JobRecord, places: Map<string, number>) {
    const frame = present(job, places)
    for (const reader of readers) reader.onJob(frame)
  }

  async function onJob(job: JobRecord) {
    tell(job, job.state === 'queued' ? await readQueuePlaces(queue) : new Map<string, number>())
  }

  function onRecording(change: RecordingChange) {
    const frame = recordingFrame(change)
    for (const reader of readers) reader.onRecording(change._id.toHexString(), frame)
  }

  /** Places change when other people's jobs do. */
  async function onQueueMoved() {
    if (waiting.size === 0) return
    const places = await readQueuePlaces(queue)
    for (const [id, { job, place }] of waiting) {
      if (!places.has(id)) waiting.delete(id)
      else if (places.get(id) !== place) tell(job, places)
    }
  }

  async function buildSnapshot(): Promise<Snapshot> {
    upcoming = undefined
    const jobs = await listRecentJobs(queue, ownerId)
    const places = jobs.some(({ state }) => state === 'queued')
      ? await readQueuePlaces(queue)
      : new Map<string, number>()
    return snapshotFrame(jobs.map((job) => present(job, places)))
  }

  const stop = feed.listen({
    ownerId,
    onJob: (job) => next(() => onJob(job)),
    onRecording: (change) => next(() => onRecording(change)),
    onQueueMoved: () => next(onQueueMoved),
  })

  return {
    readSnapshot() {
      // Whoever asks before it is read shares it. Read in turn with the changes: nothing is older than what was told before it.
      upcoming ??= new Promise((resolve, reject) => {
        next(() => buildSnapshot().then(resolve, reject))
      })
      return upcoming
    },
    add(reader) {
      if (readers.size >= maxStreamsPerUser) throw tooMany()
      readers.add(reader)
      return () => {
        readers.delete(reader)
        if (readers.size > 0) return
        stop()
        onEmpty()
      }
    },
  }
}

function tooMany() {
  return new AppError(
    'too_many_streams',
    `You follow your work in ${maxStreamsPerUser} places already, the most there may be`,
    {
      help: 'Close tabs or programs that you do not need, then try again.',
    },
  )
}
