import type { z } from 'zod'
import type { Job } from '#contract/entities/job.ts'
import { noText, ProgressHead, withText } from '#contract/progress-text.ts'
import { readQueuePosition } from '#data/queue/enqueue.ts'
import type { JobRecord } from '#data/queue/job-model.ts'
import { readText } from '#data/queue/progress.ts'
import type { Queue } from '#data/queue/queue.ts'

/**
 * A job as its owner sees it. `error` is shown once the job has failed, not between attempts. Progress has the text so far unless
 * `hasText` is false: of a long recording it is megabytes.
 */
export async function presentJob(
  queue: Queue,
  job: JobRecord,
  { hasText }: { hasText: boolean } = { hasText: true },
): Promise<z.input<typeof Job>> {
  const head = ProgressHead.safeParse(job.progress).data
  const text = head && hasText ? await readText(queue, job) : noText
  return {
    id: job._id.toHexString(),
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId?.toHexString() ?? null,
    attempt: job.attempt,
    queue_position: await readQueuePosition(queue, job),
    // Progress is dropped where it does not fit, as what an older version wrote.
    progress: head ? withText(head, text) : null,
    error: job.state === 'failed' ? job.error : null,
    target_language: job.targetLanguage,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
  }
}
