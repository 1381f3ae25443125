import { AppError } from '#contract/app-error.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { JobTask, JobTools } from './job-task.ts'

/** The samples of a job's recording, in its work folder. Fails with `not_found` when it was deleted. */
export async function decodeRecording(
  { queue, audioStore }: JobTools,
  { job, workDir, signal }: Pick<JobTask, 'job' | 'workDir' | 'signal'>,
): Promise<DecodedAudio> {
  const recording = await recordingModel(queue.connection)
    .findOne({ _id: job.recordingId, ownerId: job.ownerId, deletedAt: null }, { extension: 1 })
    .lean()
  if (!recording) throw new AppError('not_found', 'The recording was deleted.')
  const file = await audioStore.open({ id: recording._id.toHexString(), extension: recording.extension })
  try {
    return await decodeAudio(file.path, { workDir, signal })
  } finally {
    await file.release()
  }
}
