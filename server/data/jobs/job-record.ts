import type { JobDocument } from './job-model.ts'

/** Which text a job shows and how many changes of it there are: see progress-model.ts. */
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

/** A job without its result, which may be megabytes: what lists, streams and the engine read. */
export interface JobRecord extends StoredFields {
  id: string
  ownerId: string
  recordingId: string | null
  /** Null for a job that was asked for by itself. */
  batchId: string | null
  leaseId: string | null
  text: TextPosition | null
}

/** Projection of the fields that a record has. */
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

/** Whether nothing more will happen to a job. */
export function hasEnded(job: Pick<JobRecord, 'state'>): boolean {
  return job.state !== 'queued' && job.state !== 'running'
}
