import { toHoldRecord, type HoldRecord } from '../holds/held.ts'
import type { RecordingDocument, StoredCorrections } from './recording-model.ts'

type StoredFields = Omit<
  RecordingDocument,
  | '_id'
  | 'ownerId'
  | 'speakerCorrections'
  | 'otherSpeakerCorrections'
  | 'restoredVersion'
  | 'hold'
  | 'caseHolds'
  | 'removals'
>

/** An uploaded recording. What the engine made from it is stored with its jobs. */
export interface RecordingRecord extends StoredFields {
  id: string
  ownerId: string
  /** The latest corrections of the speakers; null or missing where there are none. */
  speakerCorrections?: CorrectionsRecord | null
  /** Earlier corrections in other transcriptions of the recording, one each. */
  otherSpeakerCorrections?: CorrectionsRecord[]
  restoredVersion?: RestoredVersion | null
  /** The hold on the recording itself; missing for none. */
  hold?: HoldRecord
  /** The ids of cases whose hold covers it; missing for none. */
  heldByCases?: string[]
}

/** A transcription that is current while `newestId` is the newest: a newer one replaces it. */
export interface RestoredVersion {
  transcriptionId: string
  newestId: string
}

/** Corrections, with the transcription they were made for: their labels and times refer to that one. */
export interface CorrectionsRecord {
  transcriptionId: string
  /** Parsed by SpeakerCorrections. */
  corrections: unknown
}

export function toRecordingRecord(document: RecordingDocument): RecordingRecord {
  const {
    _id,
    ownerId,
    speakerCorrections: stored,
    otherSpeakerCorrections: others = [],
    restoredVersion: restored,
    hold,
    caseHolds = [],
    removals: _removals,
    ...fields
  } = document
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    speakerCorrections: stored ? toCorrectionsRecord(stored) : null,
    otherSpeakerCorrections: others.map(toCorrectionsRecord),
    restoredVersion: restored
      ? { transcriptionId: restored.transcriptionId.toHexString(), newestId: restored.newestId.toHexString() }
      : null,
    ...(hold && { hold: toHoldRecord(hold) }),
    ...(caseHolds.length > 0 && { heldByCases: caseHolds.map(({ caseId }) => caseId.toHexString()) }),
  }
}

function toCorrectionsRecord({ transcriptionId, corrections }: StoredCorrections): CorrectionsRecord {
  return { transcriptionId: transcriptionId.toHexString(), corrections }
}
