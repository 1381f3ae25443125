import type { z } from 'zod'
import type { Job, StreamJob } from '#contract/entities/job.ts'
import { noText, ProgressHead, withText } from '#contract/progress-text.ts'
import { readQueuePosition } from '#data/jobs/enqueue.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import { readText } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'

/**
 * A job as its owner sees it. Progress has the text so far unless `hasText` is false: of a long recording it is megabytes.
 */
export async function presentJob(
  queue: Queue,
  job: JobRecord,
  { hasText }: { hasText: boolean } = { hasText: true },
): Promise<z.input<typeof Job>> {
  const shown = presentStreamJob(job, await readQueuePosition(queue, job))
  if (!shown.progress) return { ...shown, progress: null }
  return { ...shown, progress: withText(shown.progress, hasText ? await readText(queue, job) : noText) }
}

/** A job without its text. `error` is shown once the job has failed, not between attempts. */
export function presentStreamJob(
  job: JobRecord,
  queuePosition: number | null,
): z.input<typeof StreamJob> & { progress: ProgressHead | null } {
  return {
    id: job._id.toHexString(),
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId?.toHexString() ?? null,
    attempt: job.attempt,
    queue_position: queuePosition,
    // Dropped where it does not fit, as what an older version wrote.
    progress: ProgressHead.safeParse(job.progress).data ?? null,
    error: job.state === 'failed' ? job.error : null,
    target_language: job.targetLanguage,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}
