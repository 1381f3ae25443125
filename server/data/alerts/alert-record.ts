import type { AlertDocument } from './alert-model.ts'

type StoredFields = Omit<
  AlertDocument,
  '_id' | 'ownerId' | 'watchListId' | 'recordingId' | 'jobId' | 'previousState' | 'changeId' | 'digestId'
>

/** A hit of a watch list in a recording. */
export interface AlertRecord extends StoredFields {
  id: string
  ownerId: string
  watchListId: string
  recordingId: string
  jobId: string | null
}

export function toAlertRecord(document: AlertDocument): AlertRecord {
  const {
    _id,
    ownerId,
    watchListId,
    recordingId,
    jobId,
    previousState: _previous,
    changeId: _change,
    ...rest
  } = document
  const { digestId: _digest, ...fields } = rest
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    watchListId: watchListId.toHexString(),
    recordingId: recordingId.toHexString(),
    jobId: jobId?.toHexString() ?? null,
  }
}
