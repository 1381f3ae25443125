import { AppError } from '#contract/app-error.ts'
import { api } from '#contract/api.ts'
import type { BatchRequest } from '#contract/batches.ts'
import { batchItemModel } from '#data/batches/batch-item-model.ts'
import { toObjectId } from '#data/ids.ts'
import { claimJob } from '#data/jobs/claim.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { completeJob, failAttempt, type LeasedJob } from '#data/jobs/lease.ts'
import { transcriptionKey } from '#data/jobs/work-keys.ts'
import { storeDocument } from '#testing/recordings.ts'
import type { SignedInUser, TestServer } from '#testing/server.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

type RequestInput = Pick<BatchRequest, 'selection'> & Partial<Omit<BatchRequest, 'selection'>>

/** Acts as a user with recordings, and as the engine that runs their jobs. */
export function createBatchWorld(server: TestServer) {
  const { queue } = server.services.work
  const { feed } = server.services.batchFeeder

  /** Stores recordings without files; returns their ids. */
  async function storeRecordings(user: Pick<SignedInUser, 'id'>, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) {
      ids.push((await storeDocument(queue.connection, { ownerId: user.id, name: `call ${at}.wav` })).id)
    }
    return ids
  }

  /** Stores a finished transcription of a recording, as if it had been requested individually. */
  async function storeTranscription({ id: ownerId }: SignedInUser, recordingId: string, languages = ['ps']) {
    const choice = { language: 'ps' as const, channelLanguages: null, names: [], speakerCount: null, splitVoices: [] }
    return storeFinishedJob(queue, {
      ownerId,
      recordingId,
      params: { kind: 'transcribe', ...choice },
      workKey: transcriptionKey(recordingId, { ...choice, model: null }),
      outcome: { result: makeTranscription(), languages },
    })
  }

  async function startBatch(user: SignedInUser, request: RequestInput) {
    const { data } = await server.call(api.batches.create, { body: request, token: user.accessToken })
    await feed()
    return data
  }

  async function readBatch(user: SignedInUser, id: string) {
    await feed()
    return (await server.call(api.batches.get, { params: { id }, query: { per_page: 100 }, token: user.accessToken }))
      .data
  }

  /** Runs the next waiting job, which fails if `isFailing` returns true. Returns the job, or null if none is waiting. */
  async function workOnce(isFailing: (job: LeasedJob) => boolean = () => false): Promise<LeasedJob | null> {
    const job = await claimJob(queue, 'test-engine')
    if (!job) return null
    if (isFailing(job)) {
      await failAttempt(queue, job, new AppError('job_failed', 'The file cannot be read'), { isFinal: true })
      return job
    }
    await completeJob(queue, job, toOutcome(job))
    return job
  }

  /** Feeds the queue and runs jobs until nothing is left to do. Returns the jobs in the order in which they ran. */
  async function workAll(isFailing?: (job: LeasedJob) => boolean): Promise<LeasedJob[]> {
    const done: LeasedJob[] = []
    for (;;) {
      await feed()
      const job = await workOnce(isFailing)
      if (!job) return done
      done.push(job)
    }
  }

  /** Sets all recordings of a batch back to waiting, as if the server had been killed after queueing jobs but before recording that. */
  async function forgetProgress(id: string): Promise<void> {
    await batchItemModel(queue.connection).updateMany({ batchId: toObjectId(id) }, { $set: { state: 'waiting' } })
  }

  return { storeRecordings, storeTranscription, startBatch, forgetProgress, readBatch, workOnce, workAll }
}

function toOutcome({ params }: LeasedJob) {
  const parsed = JobParams.parse(params)
  return parsed.kind === 'translate'
    ? { result: makeTranslation({ target_language: parsed.targetLanguage }), languages: ['ps', parsed.targetLanguage] }
    : { result: makeTranscription(), languages: ['ps'] }
}
