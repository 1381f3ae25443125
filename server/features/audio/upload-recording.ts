import { AppError } from '#contract/app-error.ts'
import { toStoreFailure } from '#data/audio-store/disk-store.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import type { SessionWatch } from '../sessions/service.ts'
import { receiveUpload } from './receive-upload.ts'
import { storeUpload, type StoreDeps } from './store-upload.ts'

export interface UploadDeps extends StoreDeps {
  sessions: SessionWatch
  maxUploadBytes: number
}

interface Uploader {
  ownerId: string
  sessionId: string
}

/**
 * Receives, checks and stores one recording. It is refused as soon as the caller disconnects or the session ends, be it by signing out,
 * by deactivation or by deletion of the account: nothing is stored for somebody who is no longer signed in.
 */
export async function uploadRecording(
  deps: UploadDeps,
  ctx: AppContext,
  { ownerId, sessionId }: Uploader,
): Promise<RecordingRecord> {
  const ended = new AbortController()
  const unsubscribe = deps.sessions.onEnded(ownerId, sessionId, () => ended.abort(sessionEnded()))
  const signal = AbortSignal.any([disconnectSignal(ctx), ended.signal])
  async function requireOwner() {
    if (!(await deps.sessions.isLive(ownerId, sessionId))) throw sessionEnded()
  }
  // Reserved before the first byte; bytes beyond the announced length are added as they arrive.
  let share: Reservation | undefined
  try {
    share = await deps.quota.reserve(ownerId, ctx.request.length ?? 0)
    const upload = await receiveUpload(deps, ctx, { signal, share })
    return await storeUpload(deps, { ...upload, ownerId }, { share, signal, requireOwner })
  } catch (error) {
    throw ended.signal.aborted ? sessionEnded() : toStoreFailure(error)
  } finally {
    unsubscribe()
    await share?.release()
  }
}

function sessionEnded(): AppError {
  return new AppError('session_expired', 'Token has expired')
}
