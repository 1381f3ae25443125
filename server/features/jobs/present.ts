import type { z } from 'zod'
import type { Job } from '#contract/entities/job.ts'
import { TranscriptionProgress } from '#contract/transcription.ts'
import { TranslationProgress } from '#contract/translation.ts'
import { readQueuePosition } from '#data/queue/enqueue.ts'
import type { JobRecord } from '#data/queue/job-model.ts'
import type { Queue } from '#data/queue/queue.ts'

/** A job as its owner sees it. `error` is shown once the job has failed, not between attempts. */
export async function presentJob(queue: Queue, job: JobRecord): Promise<z.input<typeof Job>> {
  return {
    id: job._id.toHexString(),
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId?.toHexString() ?? null,
    attempt: job.attempt,
    queue_position: await readQueuePosition(queue, job),
    progress: presentProgress(job),
    error: job.state === 'failed' ? job.error : null,
    target_language: job.targetLanguage,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}

/** Progress is dropped where it does not fit, as what an older version wrote. */
function presentProgress(job: JobRecord) {
  const schema = job.kind === 'translate' ? TranslationProgress : TranscriptionProgress
  return schema.safeParse(job.progress).data ?? null
}
