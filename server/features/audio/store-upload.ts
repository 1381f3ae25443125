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

/** Describes an upload for the audit trail: the file can later be recognized by its hash. */
export function describeUpload({ sha256 }: Pick<RecordingRecord, 'sha256'>): string {
  return `SHA-256 ${sha256}`
}

/** A received file that is to become a recording. */
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
  /** Throws if the owner can no longer store anything, for example after the account was deleted. */
  requireOwner: () => Promise<void>
  /** Writes the upload to the audit trail. */
  recordUpload: RecordUpload
}

export type RecordUpload = (recording: RecordingRecord) => Promise<void>

/** Checks and stores a received file: file first, document last, so that a document always has its file. */
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
    // Another server may have stored the document, or its reply may have been lost, and a document must have its file; a file without a
    // document is moved to the orphans.
    const mayBeStored = isKept && (isDuplicateKey(error) || isCausedByUnavailableDatabase(error))
    if (!mayBeStored) await pending.discard()
    throw error
  }
}

/**
 * Stores the waveform and records the upload. Withdraws the recording if that fails or its owner can no longer store anything: no recording
 * is kept whose origin is missing from the audit trail. A deletion of the user that began before the document was written may have read the
 * list of recordings too early. A deletion ends sessions first, so a session that is still live proves that there was no such deletion.
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
