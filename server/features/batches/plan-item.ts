import { describeLanguage } from '#contract/languages.ts'
import type { BatchItemState } from '#contract/batches.ts'
import type { BatchItemRecord } from '#data/batches/batch-items.ts'
import type { BatchRecord, BatchTranscriptionRecord } from '#data/batches/batches.ts'
import { hasWorkKey, type NewJob } from '#data/jobs/enqueue.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import { transcriptionKey, translationKey } from '#data/jobs/work-keys.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription } from '#data/recordings/versions.ts'

/** What a batch requests for each recording, and since when. */
export type BatchWork = Pick<
  BatchRecord,
  'id' | 'ownerId' | 'state' | 'transcribe' | 'targetLanguages' | 'redo' | 'since'
>

/** What currently exists for a recording. */
interface ItemFacts {
  /** Null once deleted. */
  recording: RecordingRecord | null
  /** All jobs of the recording, sorted as by listJobsOfRecordings. */
  jobs: JobRecord[]
  /** Whether another batch is going to transcribe it. */
  isTranscribedByOther: boolean
}

export interface ItemPlan {
  state: BatchItemState
  reason: string | null
  /** The jobs to queue. */
  jobs: NewJob[]
  /** Whether to check again later, because a transcription is still pending. */
  isPostponed: boolean
}

/** Messages stored for a step that failed or was cancelled. */
interface StepMessages {
  failed: (error: string) => string
  cancelled: string
}

// Stored in English, and shown in the reader's language.
const deletedMessage = 'The recording was deleted'
const untranscribedMessage = 'It is not transcribed yet'
const doneMessage = 'It was done already'
const unknownFailureMessage = 'The work failed'
const spokenMessage = (name: string) => `It is in ${name} already`
const failedTranscriptionMessage = (error: string) => `Transcription failed: ${error}`
const cancelledTranscriptionMessage = 'Transcription was cancelled'
const failedTranslationMessage = (name: string, error: string) => `Translation to ${name} failed: ${error}`
const cancelledTranslationMessage = (name: string) => `Translation to ${name} was cancelled`
const transcriptionMessages: StepMessages = {
  failed: failedTranscriptionMessage,
  cancelled: cancelledTranscriptionMessage,
}

/** `kept`: done before the batch began, or there is nothing to do. */
type StepState = 'wanted' | 'open' | 'done' | 'kept' | 'failed' | 'cancelled'

interface Step {
  job: NewJob
  state: StepState
  reason: string | null
}

/**
 * Decides what happens to a recording of a batch, based only on its jobs: planning it twice, or again after a crash, gives the same result,
 * and identical jobs are merged in the queue. The recording is transcribed first; then its current transcription is translated.
 */
export function planItem(batch: BatchWork, item: Pick<BatchItemRecord, 'since'>, facts: ItemFacts): ItemPlan {
  const { recording, jobs } = facts
  if (!recording) return end('skipped', deletedMessage)
  const transcription = batch.transcribe && planTranscription(batch, item, recording, jobs)
  const isTranscribed = !transcription || transcription.state === 'done' || transcription.state === 'kept'
  if (!isTranscribed || batch.targetLanguages.length === 0) return combine(batch, transcription ? [transcription] : [])
  const isAwaited = facts.isTranscribedByOther || jobs.some((job) => job.kind === 'transcribe' && !hasEnded(job))
  if (!transcription && isAwaited) return postpone(batch)
  const current = currentTranscription(recording, jobs)
  if (!current) return end('skipped', untranscribedMessage)
  const translations = batch.targetLanguages.map((language) =>
    planTranslation(batch, item, { current, jobs, language }),
  )
  return combine(batch, transcription ? [transcription, ...translations] : translations)
}

function planTranscription(
  batch: BatchWork,
  item: Pick<BatchItemRecord, 'since'>,
  recording: RecordingRecord,
  jobs: JobRecord[],
): Step {
  const asked: BatchTranscriptionRecord = batch.transcribe ?? { language: 'auto', channelLanguages: null }
  const { language, channelLanguages: both, names = [], model = null, speakerCount = null, splitVoices = [] } = asked
  const hasOwn = recording.isStereo && both !== null && new Set(both).size > 1
  const choice = {
    language: recording.isStereo ? (both?.[0] ?? language) : language,
    channelLanguages: hasOwn ? both : null,
    names,
    speakerCount: recording.isStereo ? null : speakerCount,
    splitVoices: recording.isStereo ? splitVoices : [],
    model,
  }
  const job: NewJob = {
    ownerId: recording.ownerId,
    recordingId: recording.id,
    params: { kind: 'transcribe', ...choice },
    workKey: transcriptionKey(recording.id, choice),
    batchId: batch.id,
  }
  return findState(batch, item, { job, jobs, messages: transcriptionMessages })
}

function planTranslation(
  batch: BatchWork,
  item: Pick<BatchItemRecord, 'since'>,
  { current, jobs, language }: { current: JobRecord; jobs: JobRecord[]; language: string },
): Step {
  const { name } = describeLanguage(language)
  const job: NewJob = {
    ownerId: current.ownerId,
    recordingId: current.recordingId,
    params: {
      kind: 'translate',
      sourceId: null,
      transcriptionId: current.id,
      sourceLanguage: 'auto',
      targetLanguage: language,
      context: null,
    },
    workKey: translationKey(current.id, language, null),
    targetLanguage: language,
    batchId: batch.id,
  }
  const isSpoken = current.languages.length > 0 && current.languages.every((code) => code === language)
  if (isSpoken) return { job, state: 'kept', reason: spokenMessage(name) }
  const messages = {
    failed: (error: string) => failedTranslationMessage(name, error),
    cancelled: cancelledTranslationMessage(name),
  }
  return findState(batch, item, { job, jobs, messages })
}

/** Compares change numbers instead of times, so that a clock that is set back causes nothing to be repeated. */
function findState(
  batch: BatchWork,
  item: Pick<BatchItemRecord, 'since'>,
  { job, jobs, messages }: { job: NewJob; jobs: JobRecord[]; messages: StepMessages },
): Step {
  const equal = jobs.filter((candidate) => hasWorkKey(candidate, job.workKey))
  if (equal.some((candidate) => !hasEnded(candidate))) return { job, state: 'open', reason: null }
  const done = equal.find(({ state }) => state === 'done')
  if (done && done.change > batch.since) return { job, state: 'done', reason: null }
  if (done && !batch.redo) return { job, state: 'kept', reason: doneMessage }
  const ended = equal.find((candidate) => candidate.state !== 'done' && candidate.change > item.since)
  if (ended?.state === 'failed') {
    return { job, state: 'failed', reason: messages.failed(ended.error?.error ?? unknownFailureMessage) }
  }
  if (ended) return { job, state: 'cancelled', reason: messages.cancelled }
  return { job, state: 'wanted', reason: null }
}

function combine(batch: BatchWork, steps: Step[]): ItemPlan {
  const find = (state: StepState) => steps.find((step) => step.state === state)
  const wanted = steps.filter(({ state }) => state === 'wanted')
  if (find('open') || (wanted.length > 0 && batch.state === 'running')) {
    return {
      state: 'running',
      reason: null,
      jobs: batch.state === 'running' ? wanted.map(({ job }) => job) : [],
      isPostponed: false,
    }
  }
  const failed = find('failed')
  if (failed) return end('failed', failed.reason)
  if (wanted.length > 0) return end('cancelled', null)
  const cancelled = find('cancelled')
  if (cancelled) return end('cancelled', cancelled.reason)
  return find('done') ? end('done', null) : end('skipped', steps.at(-1)?.reason ?? null)
}

function end(state: BatchItemState, reason: string | null): ItemPlan {
  return { state, reason, jobs: [], isPostponed: false }
}

function postpone({ state }: BatchWork): ItemPlan {
  return { ...end(state === 'running' ? 'waiting' : 'cancelled', null), isPostponed: true }
}
