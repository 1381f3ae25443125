import { AppError } from '#contract/app-error.ts'
import { toStoreFailure } from '#data/audio-store/disk-store.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import { recordingModel, type RecordingDocument } from '#data/recordings/recording-model.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import type { AppContext } from '#server/http/context.ts'
import { toObjectId, whenGone } from '../jobs/long-work.ts'
import type { WorkServices } from '../work/services.ts'
import { requireSignature } from './file-kind.ts'
import { receiveUpload, type ReceivedUpload } from './receive-upload.ts'

interface Uploader {
  userId: string
  sessionId: string
}

/**
 * Receives, checks and keeps one recording. It is refused as soon as the caller leaves or the session ends, be it by signing out, by
 * being deactivated or by being deleted: nothing is kept for somebody who is no longer there.
 */
export async function uploadRecording(
  services: WorkServices,
  ctx: AppContext,
  uploader: Uploader,
): Promise<RecordingDocument> {
  const ended = new AbortController()
  const stopListening = services.sessions.onEnded(uploader.userId, uploader.sessionId, () =>
    ended.abort(sessionEnded()),
  )
  const stop = AbortSignal.any([whenGone(ctx), ended.signal])
  // Held from before the first byte; what was not announced is added as it comes.
  let share: Reservation | undefined
  try {
    share = await services.quota.reserve(toObjectId(uploader.userId), ctx.request.length ?? 0)
    const upload = await receiveUpload(services.audioStore, ctx, { signal: stop, share })
    return await store(services, uploader, { upload, share, stop })
  } catch (error) {
    throw ended.signal.aborted ? sessionEnded() : toStoreFailure(error)
  } finally {
    stopListening()
    await share?.release()
  }
}

/** Checks what was received and keeps it: file first, document last, so that a document always has its file. */
async function store(
  services: WorkServices,
  uploader: Uploader,
  { upload, share, stop }: { upload: ReceivedUpload; share: Reservation; stop: AbortSignal },
): Promise<RecordingDocument> {
  const { pending } = upload
  try {
    await share.resize(pending.sizeBytes)
    await requireSignature(pending.path, upload.extension)
    const measured = await services.probe.measure(pending.path, { userId: uploader.userId, signal: stop })
    await requireSession(services, uploader)
    stop.throwIfAborted()
    await pending.keep()
    const recording = await share.settle(() =>
      insertRecording(services.connection, {
        _id: upload.id,
        ownerId: toObjectId(uploader.userId),
        name: upload.name,
        extension: upload.extension,
        sizeBytes: pending.sizeBytes,
        sha256: pending.sha256,
        ...measured,
      }),
    )
    await withdrawWithoutSession(services, uploader, recording)
    return recording
  } catch (error) {
    await pending.discard()
    throw error
  }
}

/**
 * A deletion of the user that began before the document was written may have looked for recordings before it was there. Sessions end
 * first in a deletion, so one that is live now has not been overtaken.
 */
async function withdrawWithoutSession(services: WorkServices, uploader: Uploader, recording: RecordingDocument) {
  try {
    await requireSession(services, uploader)
  } catch (error) {
    await recordingModel(services.connection).deleteOne({ _id: recording._id, ownerId: recording.ownerId })
    throw error
  }
}

async function requireSession({ sessions }: WorkServices, { userId, sessionId }: Uploader) {
  if (!(await sessions.isLive(userId, sessionId))) throw sessionEnded()
}

function sessionEnded(): AppError {
  return new AppError('session_expired', 'Token has expired')
}
