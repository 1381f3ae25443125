import { AppError } from '#contract/app-error.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { claimDiskSpace, decodedBytes, watchDiskSpace } from './decode-disk-space.ts'
import type { JobTask, JobContext } from './job-task.ts'

/**
 * Decodes a job's recording into its work folder. Throws `not_found` if it was deleted, and `disk_full` if its samples would take up disk
 * space that uploads need.
 */
export async function decodeRecording(
  { queue, audioStore, maxAudioMs }: JobContext,
  { job, workDir, signal }: Pick<JobTask, 'job' | 'workDir' | 'signal'>,
): Promise<DecodedAudio> {
  const recording = job.recordingId && (await findRecording(queue.connection, job.ownerId, job.recordingId))
  if (!recording) throw new AppError('not_found', 'The recording was deleted.')
  const space = { freeBytes: () => audioStore.freeBytes(), needBytes: decodedBytes(recording) }
  await claimDiskSpace({ ...space, workDir, signal })
  const file = await audioStore.open({ id: recording.id, extension: recording.extension })
  const watch = watchDiskSpace(space)
  try {
    return await decodeAudio(file.path, {
      workDir,
      signal: AbortSignal.any([signal, watch.signal]),
      maxDurationMs: Math.max(maxAudioMs, recording.durationMs), // uploaded before the limit was lowered
    })
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error
  } finally {
    watch.stop()
    await file.release()
  }
}
