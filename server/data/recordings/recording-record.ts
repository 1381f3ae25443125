import type { RecordingDocument } from './recording-model.ts'

type StoredFields = Omit<RecordingDocument, '_id' | 'ownerId' | 'speakerCorrections'>

/** An uploaded recording. What the engine made of it is stored with its jobs. */
export interface RecordingRecord extends StoredFields {
  id: string
  ownerId: string
  /** What a person corrected of the speakers; null and missing for nothing. */
  speakerCorrections?: CorrectionsRecord | null
}

/** Corrections are stored with the transcription they were made for: their labels and times are that one's. */
export interface CorrectionsRecord {
  transcriptionId: string
  /** Parsed by SpeakerCorrections. */
  corrections: unknown
}

export function toRecordingRecord(document: RecordingDocument): RecordingRecord {
  const { _id, ownerId, speakerCorrections: stored, ...fields } = document
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    speakerCorrections: stored ? { ...stored, transcriptionId: stored.transcriptionId.toHexString() } : null,
  }
}
