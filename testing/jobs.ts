import type { EngineStatus } from '#contract/entities/engine.ts'
import { newId } from '#data/ids.ts'
import { claimJob } from '#data/jobs/claim.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import type { Heartbeat } from '#data/engines/engines.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { enqueueJob, type NewJob } from '#data/jobs/enqueue.ts'
import { completeJob, type LeasedJob } from '#data/jobs/lease.ts'
import { version } from '#data/version.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'

/** Adds a job to the queue; options override any part. */
export async function makeJob(queue: Queue, overrides: Partial<NewJob> = {}): Promise<JobRecord> {
  const { job } = await enqueueJob(queue, {
    ownerId: newId(),
    recordingId: null,
    params: { kind: 'diarize', hasText: true, language: 'ps', channelLanguages: null },
    workKey: `test:${newId()}`,
    ...overrides,
  })
  return job
}

/** Features of an engine without models. */
export const noFeatures: EngineFeatures = {
  speech: null,
  translation: null,
  transcription: [],
  translation_sources: [],
  translation_targets: [],
  diarization: false,
  language_detection: false,
  models: [],
  speech_models: [],
}

/** Returns the heartbeat of an engine without models; options override any part. */
export function makeHeartbeat(features: Partial<EngineFeatures> = {}, status: Partial<EngineStatus> = {}): Heartbeat {
  return {
    features: { ...noFeatures, ...features },
    status: {
      version,
      revision: null,
      components: [],
      threads: 1,
      model: null,
      device: null,
      speeds: [],
      problem: null,
      speech_servers: [],
      translation_servers: [],
      ...status,
    },
  }
}

/** Claims the next job as an engine does. Throws when there is none. */
export async function takeJob(queue: Queue, engineId = 'test-engine'): Promise<LeasedJob> {
  const job = await claimJob(queue, engineId)
  if (!job) throw new Error('There is no job to claim')
  return job
}

/** Claims the next job and completes it with a result. */
export async function finishNextJob(queue: Queue, result: object, languages: string[] = []): Promise<LeasedJob> {
  const job = await takeJob(queue)
  if (!(await completeJob(queue, job, { result, languages }))) throw new Error('The job lost its lease')
  return job
}
