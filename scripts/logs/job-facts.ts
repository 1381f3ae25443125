import { ProgressHead } from '#contract/progress-text.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import { countCheckpoints, readRecordingLength, type JobHistory } from '#data/health/job-history.ts'
import { readQueuePosition } from '#data/jobs/enqueue.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { selectedLanguages } from '#data/jobs/work-keys.ts'
import { commandForLines, type Installation } from './log-command.ts'
import { suggestNextSteps } from './next-steps.ts'
import { readOwnSentences } from './own-sentences.ts'
import { describeWaiting } from './waiting.ts'

/** What is known of a job, without words, names and file names. Times are Dates, which JSON writes in ISO 8601. */
export type JobFacts = Awaited<ReturnType<typeof collectFacts>>

export async function collectFacts(connection: DatabaseConnection, job: JobHistory, installation: Installation) {
  const [engines, position, checkpoints, recordingMs, ownSentence] = await Promise.all([
    findLiveEngines(connection),
    readQueuePosition(openQueue(connection), job),
    countCheckpoints(connection, job.id),
    job.recordingId === null ? null : readRecordingLength(connection, job.recordingId),
    readOwnSentences(),
  ])
  const attempts = job.attempts.map(({ message, ...attempt }) => ({
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    started_at: attempt.startedAt ?? null,
    ended_at: attempt.endedAt,
    duration_ms: attempt.startedAt ? attempt.endedAt.getTime() - attempt.startedAt.getTime() : null,
    ...engineFields(attempt),
    models: attempt.models ?? null,
    code: attempt.code ?? null,
    message: message === undefined ? null : ownSentence(message),
    cause: attempt.cause ?? null,
  }))
  const { attemptBegan: began } = job
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    recording_id: job.recordingId,
    recording_ms: recordingMs,
    owner_id: job.ownerId,
    ...describeParams(job.params),
    queued_at: job.createdAt,
    started_at: job.startedAt,
    ended_at: job.finishedAt,
    attempts,
    running:
      job.state === 'running'
        ? {
            attempt: job.attempt,
            started_at: began?.at ?? null,
            ...engineFields(began ?? {}),
            lease_until: job.leaseUntil,
          }
        : null,
    progress: describeProgress(job.progress),
    checkpoints,
    waits_for: describeWaiting(job, { engines, position }),
    code: job.error?.code ?? null,
    message: job.error ? ownSentence(job.error.error) : null,
    next_steps: suggestNextSteps(job),
    log_command: commandForLines(installation, { jobId: job.id, since: job.createdAt }),
  }
}

function engineFields({ engineId, host, pid }: { engineId?: string; host?: string; pid?: number }) {
  return { engine_id: engineId ?? null, host: host ?? null, pid: pid ?? null }
}

/** The parameters of a job may have names and topics beside these. */
function describeParams(params: unknown) {
  const { data } = JobParams.safeParse(params)
  if (!data) return { languages: null, chosen_model: null }
  if (data.kind === 'translate') return { languages: [data.sourceLanguage, data.targetLanguage], chosen_model: null }
  return { languages: selectedLanguages(data), chosen_model: data.model }
}

function describeProgress(progress: unknown) {
  const { data } = ProgressHead.safeParse(progress)
  return data
    ? { done: data.current_segment, total: data.total_segments, seconds_left: data.seconds_left ?? null }
    : null
}
