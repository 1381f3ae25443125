import { AppError } from '#contract/app-error.ts'
import type { AudioProbe } from '#data/audio-probe/audio-probe.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { toStoreFailure } from '#data/audio-store/disk-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { Quota, Reservation } from '#data/recordings/quota.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { insertRecording, withdrawRecording } from '#data/recordings/recordings.ts'
import { storeWaveform, type Waveform } from '#data/recordings/waveforms.ts'
import type { AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import type { SessionWatch } from '../sessions/service.ts'
import { recognizeFormat } from './file-kind.ts'
import { receiveUpload, type ReceivedUpload } from './receive-upload.ts'

export interface UploadDeps {
  connection: DatabaseConnection
  audioStore: AudioStore
  probe: AudioProbe
  quota: Quota
  sessions: SessionWatch
}

interface Uploader {
  ownerId: string
  sessionId: string
}

/**
 * Receives, checks and stores one recording. It is refused as soon as the caller disconnects or the session ends, be it by signing out,
 * by deactivation or by deletion of the account: nothing is stored for somebody who is no longer signed in.
 */
export async function uploadRecording(deps: UploadDeps, ctx: AppContext, uploader: Uploader): Promise<RecordingRecord> {
  const ended = new AbortController()
  const unsubscribe = deps.sessions.onEnded(uploader.ownerId, uploader.sessionId, () => ended.abort(sessionEnded()))
  const signal = AbortSignal.any([disconnectSignal(ctx), ended.signal])
  // Reserved before the first byte; bytes beyond the announced length are added as they arrive.
  let share: Reservation | undefined
  try {
    share = await deps.quota.reserve(uploader.ownerId, ctx.request.length ?? 0)
    const upload = await receiveUpload(deps.audioStore, ctx, { signal, share })
    return await store(deps, uploader, { upload, share, signal })
  } catch (error) {
    throw ended.signal.aborted ? sessionEnded() : toStoreFailure(error)
  } finally {
    unsubscribe()
    await share?.release()
  }
}

/** Checks what was received and stores it: file first, document last, so that a document always has its file. */
async function store(
  deps: UploadDeps,
  uploader: Uploader,
  { upload, share, signal }: { upload: ReceivedUpload; share: Reservation; signal: AbortSignal },
): Promise<RecordingRecord> {
  const { id, name, pending } = upload
  const { ownerId } = uploader
  try {
    await share.resize(pending.sizeBytes)
    const extension = await recognizeFormat(pending.path, upload.extension)
    const { waveform, ...measured } = await deps.probe.measure(pending.path, { ownerId, signal })
    await requireSession(deps, uploader)
    signal.throwIfAborted()
    await pending.keep(extension)
    const { sizeBytes, sha256 } = pending
    const recording = await share.settle(() =>
      insertRecording(deps.connection, { id, ownerId, name, extension, sizeBytes, sha256, ...measured }),
    )
    await finishUpload(deps, uploader, recording, waveform)
    return recording
  } catch (error) {
    await pending.discard()
    throw error
  }
}

/**
 * Stores the waveform, and withdraws the recording where that fails or the session has ended. A deletion of the user that began before the
 * document was written may have read the list of recordings before. A deletion ends sessions first, so one that is live now has not been
 * overtaken.
 */
async function finishUpload(deps: UploadDeps, uploader: Uploader, recording: RecordingRecord, waveform: Waveform) {
  try {
    await storeWaveform(deps.connection, recording.ownerId, recording.id, waveform)
    await requireSession(deps, uploader)
  } catch (error) {
    await withdrawRecording(deps.connection, recording.ownerId, recording.id)
    throw error
  }
}

async function requireSession({ sessions }: UploadDeps, { ownerId, sessionId }: Uploader) {
  if (!(await sessions.isLive(ownerId, sessionId))) throw sessionEnded()
}

function sessionEnded(): AppError {
  return new AppError('session_expired', 'Token has expired')
}
