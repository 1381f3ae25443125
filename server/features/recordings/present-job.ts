import type { z } from 'zod'
import type { Job, StreamJob } from '#contract/entities/job.ts'
import { noText, ProgressHead, withText } from '#contract/progress-text.ts'
import { readQueuePosition } from '#data/jobs/enqueue.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { readText } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'

/**
 * Presents a job to its owner. Its progress includes the text so far, which is megabytes for a long recording, unless `hasText` is false.
 * `positions` are those of all waiting jobs, if they were read for several jobs.
 */
export async function presentJob(
  queue: Queue,
  job: JobRecord,
  { hasText, positions }: { hasText: boolean; positions?: Map<string, number> | undefined } = { hasText: true },
): Promise<z.input<typeof Job>> {
  const position = positions ? (positions.get(job.id) ?? null) : await readQueuePosition(queue, job)
  const shown = presentStreamJob(job, position)
  if (!shown.progress) return { ...shown, progress: null }
  return { ...shown, progress: withText(shown.progress, hasText ? await readText(queue, job) : noText) }
}

/** Presents a job without its text. `error` is shown once the job has failed, not between attempts. */
export function presentStreamJob(
  job: JobRecord,
  queuePosition: number | null,
): z.input<typeof StreamJob> & { progress: ProgressHead | null } {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId,
    ...(job.batchId !== null && { batch_id: job.batchId }),
    attempt: job.attempt,
    queue_position: queuePosition,
    // Omitted if it does not parse, for example when written by an older version.
    progress: ProgressHead.safeParse(job.progress).data ?? null,
    error: job.state === 'failed' ? job.error : null,
    target_language: job.targetLanguage,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}
