import type { z } from 'zod'
import { StreamEvent, type StreamJob } from '#contract/entities/job.ts'
import type { RecordingChange } from '#data/jobs/changes.ts'
import type { JobRecord, TextPosition } from '#data/jobs/job-record.ts'
import { presentStreamJob } from '../recordings/present-job.ts'

export type Event = z.input<typeof StreamEvent>

/** An event as sent over the wire, shared by all streams that send it. */
export type Frame = Buffer

/** A job at one point in time, and the length of its text at that point. */
export interface JobFrame {
  jobId: string
  shown: z.input<typeof StreamJob>
  frame: Frame
  text: TextPosition | null
}

export interface Snapshot {
  frame: Frame
  jobs: JobFrame[]
}

/** Writes an event as a frame. Throws if it violates the contract. */
export function writeFrame(event: Event): Frame {
  return toFrame(event.type, JSON.stringify(StreamEvent.parse(event)))
}

export function toFrame(type: Event['type'], json: string): Frame {
  return Buffer.from(`event: ${type}\ndata: ${json}\n\n`)
}

export function jobFrame(job: JobRecord, queuePosition: number | null): JobFrame {
  const shown = presentStreamJob(job, queuePosition)
  const text = job.text && job.text.sequence > 0 ? job.text : null
  return { jobId: job.id, shown, frame: writeFrame({ type: 'job', job: shown }), text }
}

export function snapshotFrame(jobs: JobFrame[]): Snapshot {
  return { frame: writeFrame({ type: 'snapshot', jobs: jobs.map(({ shown }) => shown) }), jobs }
}

export function recordingFrame({ id, version, annotationVersion = 0, deletedAt }: RecordingChange): Frame {
  return writeFrame({
    type: 'recording',
    recording_id: id,
    change: changeOf(version, deletedAt),
    content_version: version - annotationVersion,
    version,
  })
}

/** Announces that work has begun or ended on another user's recording; jobs themselves are sent only to their owner. */
export function sharedWorkFrame(recordingId: string): Frame {
  return writeFrame({ type: 'recording', recording_id: recordingId, change: 'changed' })
}

function changeOf(version: number, deletedAt: Date | null) {
  if (deletedAt) return 'deleted'
  return version === 1 ? 'created' : 'changed'
}
