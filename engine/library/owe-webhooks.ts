import type { DatabaseConnection } from '#data/connect.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { hasListeningWebhooks, oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import type { LibraryStep } from './changed-recording.ts'

/** Returns the step that records, for the owner's webhooks, each finished or failed job of a recording as owed. */
export function createOweWebhooks(connection: DatabaseConnection): LibraryStep {
  return async ({ ownerId, current }) => {
    if (!current || !(await hasListeningWebhooks(connection, ownerId))) return
    for (const job of current.jobs) await oweJob(connection, job, current.recording.durationMs)
  }
}

async function oweJob(connection: DatabaseConnection, job: JobRecord, recordingDurationMs: number): Promise<void> {
  const { id, ownerId, state, finishedAt } = job
  if ((state !== 'done' && state !== 'failed') || !finishedAt) return
  await oweWebhooks(connection, ownerId, {
    key: `job:${id}:${state}`,
    type: state === 'done' ? 'job.finished' : 'job.failed',
    at: finishedAt,
    data: {
      job_id: id,
      recording_id: job.recordingId,
      kind: job.kind,
      state,
      languages: job.languages,
      target_language: job.targetLanguage,
      attempts: job.attempt,
      recording_seconds: recordingDurationMs / 1000,
      created_at: job.createdAt.toISOString(),
      finished_at: finishedAt.toISOString(),
      ...(job.error && { error_code: job.error.code }),
    },
  })
}
