import { AppError } from '#contract/app-error.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { claimDecodeRoom, decodedBytes, watchDecodeRoom } from './decode-room.ts'
import type { JobTask, JobTools } from './job-task.ts'

/**
 * The samples of a job's recording, in its work folder. Fails with `not_found` when it was deleted, with `disk_full` when its
 * samples would take the room of everybody's uploads.
 */
export async function decodeRecording(
  { queue, audioStore, maxAudioMs }: JobTools,
  { job, workDir, signal }: Pick<JobTask, 'job' | 'workDir' | 'signal'>,
): Promise<DecodedAudio> {
  const recording = await recordingModel(queue.connection)
    .findOne(
      { _id: job.recordingId, ownerId: job.ownerId, deletedAt: null },
      { extension: 1, durationMs: 1, channels: 1 },
    )
    .lean()
  if (!recording) throw new AppError('not_found', 'The recording was deleted.')
  const room = { freeBytes: () => audioStore.freeBytes(), needBytes: decodedBytes(recording) }
  await claimDecodeRoom({ ...room, workDir, signal })
  const file = await audioStore.open({ id: recording._id.toHexString(), extension: recording.extension })
  const watch = watchDecodeRoom(room)
  try {
    return await decodeAudio(file.path, {
      workDir,
      signal: AbortSignal.any([signal, watch.signal]),
      maxDurationMs: Math.max(maxAudioMs, recording.durationMs), // taken before the limit was lowered
    })
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error
  } finally {
    watch.stop()
    await file.release()
  }
}
