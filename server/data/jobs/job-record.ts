import type { JobDocument } from './job-model.ts'

/** Which text a job shows and how many changes it has: see progress-model.ts. */
export interface TextPosition {
  id: string
  sequence: number
}

type StoredFields = Omit<
  JobDocument,
  | '_id'
  | 'ownerId'
  | 'recordingId'
  | 'batchId'
  | 'leaseId'
  | 'text'
  | 'result'
  | 'summary'
  | 'possibleHits'
  | 'activeKey'
  | 'notifyOwner'
  | 'attemptBegan'
  | 'attempts'
>

/** A job as lists, streams and the engine read it: without its result, which may be megabytes. */
export interface JobRecord extends StoredFields {
  id: string
  ownerId: string
  recordingId: string | null
  /** Null for a job requested individually. */
  batchId: string | null
  leaseId: string | null
  text: TextPosition | null
}

/** Projection to the fields of a record. */
export const recordFields = {
  result: 0,
  summary: 0,
  possibleHits: 0,
  activeKey: 0,
  notifyOwner: 0,
  attemptBegan: 0,
  attempts: 0,
} as const

export function toJobRecord(document: Omit<JobDocument, keyof typeof recordFields>): JobRecord {
  const { _id, ownerId, recordingId, batchId, leaseId, text, ...fields } = document
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    recordingId: recordingId?.toHexString() ?? null,
    batchId: batchId?.toHexString() ?? null,
    leaseId: leaseId?.toHexString() ?? null,
    text: text && { id: text.id.toHexString(), sequence: text.sequence },
  }
}

/** Returns whether a job has ended and will not change any more. */
export function hasEnded(job: Pick<JobRecord, 'state'>): boolean {
  return job.state !== 'queued' && job.state !== 'running'
}
