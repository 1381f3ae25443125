import type { AudioProbe } from '#data/audio-probe/audio-probe.ts'
import { isCausedByUnavailableDatabase } from '#data/database-errors.ts'
import type { AudioStore, PendingAudio } from '#data/audio-store/audio-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { Quota, Reservation } from '#data/recordings/quota.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { insertRecording, withdrawRecording } from '#data/recordings/recordings.ts'
import { storeWaveform, type Waveform } from '#data/recordings/waveforms.ts'
import { recognizeFormat, type AudioExtension } from './file-kind.ts'

export interface StoreDeps {
  connection: DatabaseConnection
  audioStore: AudioStore
  probe: AudioProbe
  quota: Quota
}

/** Describes an upload for the audit trail: by its hash, the file can be recognized later. */
export function describeUpload({ sha256 }: Pick<RecordingRecord, 'sha256'>): string {
  return `SHA-256 ${sha256}`
}

/** A received file that will become a recording. */
export interface NewUpload {
  id: string
  ownerId: string
  name: string
  extension: AudioExtension
  pending: PendingAudio
}

interface StoreOptions {
  share: Reservation
  signal: AbortSignal
  /** Throws where the owner may store nothing any more, as after a deletion of the account. */
  requireOwner: () => Promise<void>
  /** Writes the upload to the audit trail. */
  recordUpload: RecordUpload
}

export type RecordUpload = (recording: RecordingRecord) => Promise<void>

/** Checks what was received and stores it: file first, document last, so that a document always has its file. */
export async function storeUpload(
  deps: StoreDeps,
  { id, ownerId, name, pending, ...named }: NewUpload,
  { share, signal, requireOwner, recordUpload }: StoreOptions,
): Promise<RecordingRecord> {
  let isKept = false
  try {
    await share.resize(pending.sizeBytes)
    const extension = await recognizeFormat(pending.path, named.extension)
    const { waveform, ...measured } = await deps.probe.measure(pending.path, { ownerId, signal })
    await requireOwner()
    signal.throwIfAborted()
    await pending.keep(extension)
    isKept = true
    const { sizeBytes, sha256 } = pending
    const recording = await share.settle(() =>
      insertRecording(deps.connection, { id, ownerId, name, extension, sizeBytes, sha256, ...measured }),
    )
    await finishUpload(deps, recording, { waveform, requireOwner, recordUpload })
    return recording
  } catch (error) {
    // The document may be stored, by another server or although its reply was lost, and a document has its file; a file without one is moved
    // to the orphans.
    const mayBeStored = isKept && (isDuplicateKey(error) || isCausedByUnavailableDatabase(error))
    if (!mayBeStored) await pending.discard()
    throw error
  }
}

/**
 * Stores the waveform and records the upload, and withdraws the recording where that fails or its owner may store nothing any more: none is kept
 * whose origin the audit trail does not have. A deletion of the user that
 * began before the document was written may have read the list of recordings before. A deletion ends sessions first, so one that is live now
 * has not been overtaken.
 */
async function finishUpload(
  { connection }: StoreDeps,
  recording: RecordingRecord,
  {
    waveform,
    requireOwner,
    recordUpload,
  }: Pick<StoreOptions, 'requireOwner' | 'recordUpload'> & { waveform: Waveform },
) {
  const { id, ownerId } = recording
  try {
    await storeWaveform(connection, ownerId, id, waveform)
    await requireOwner()
    await recordUpload(recording)
  } catch (error) {
    await withdrawRecording(connection, ownerId, id)
    throw error
  }
}
