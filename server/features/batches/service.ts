import { AppError } from '#contract/app-error.ts'
import {
  maxOpenBatches,
  type BatchItemState,
  type BatchPreview,
  type BatchRequest,
  type BatchTranscription,
} from '#contract/batches.ts'
import { listItems, retryFailedItems } from '#data/batches/batch-items.ts'
import {
  cancelBatch,
  findBatch,
  insertBatch,
  listBatches,
  resumeBatch,
  type BatchRecord,
  type BatchTranscriptionRecord,
  type NewBatch,
} from '#data/batches/batches.ts'
import type { EventActor } from '#data/audit/recording-events.ts'
import { newId } from '#data/ids.ts'
import { findSelected } from '#data/library/find-entries.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import { assertCanTranscribe, assertCanTranslate } from '../jobs/capabilities.ts'
import { advanceBatch, type BatchAdvanceDeps } from './advance-batch.ts'
import type { ItemPlan } from './plan-item.ts'
import { planItems } from './plan-items.ts'

/** Maximum number of selected recordings that a preview checks. */
const maxPreviewed = 1_000
const previewChunkSize = 100

interface BatchesDeps extends BatchAdvanceDeps {
  /** Begins a round of all batches; never rejects. */
  wakeFeeder: () => void
  trail: Pick<RecordingTrail, 'recordIds'>
}

export type Batches = ReturnType<typeof createBatches>

/** Starts, lists, cancels and retries the batches of a user. */
export function createBatches(deps: BatchesDeps) {
  const { queue, wakeFeeder, trail } = deps
  const { connection } = queue

  /**
   * Starts a batch of the selected recordings. Throws `not_found` where the user has none of them, `conflict` where too many batches run,
   * and the errors of a single job for languages that no model supports.
   */
  async function create(ownerId: string, request: BatchRequest, by: EventActor): Promise<BatchRecord> {
    const batch = toBatch(ownerId, request)
    await assertPossible(batch)
    const ids = await findSelected(connection, ownerId, request.selection)
    if (ids.length === 0) throw recordingNotFound()
    const created = await insertBatch(connection, batch, ids)
    await recordRequest(by, { ownerId, ids }, request)
    wakeFeeder()
    return created
  }

  /** Records the request as made. The batch itself says what was skipped because it was already done. */
  async function recordRequest(
    by: EventActor,
    own: { ownerId: string; ids: string[] },
    { transcribe, target_languages: targets }: BatchRequest,
  ): Promise<void> {
    const spoken = transcribe && (transcribe.channel_languages ?? [transcribe.language])
    const model = transcribe?.model ? [`model ${transcribe.model}`] : []
    if (spoken) await trail.recordIds(by, 'transcribe', own, ['batch', ...spoken, ...model].join(', '))
    if (targets.length > 0) await trail.recordIds(by, 'translate', own, `batch, auto to ${targets.join(', ')}`)
  }

  async function assertPossible({ transcribe, targetLanguages }: NewBatch): Promise<void> {
    if (transcribe) {
      const { language, channelLanguages, model = null } = transcribe
      await assertCanTranscribe(connection, [...new Set([language, ...(channelLanguages ?? [])])], model)
    }
    for (const target of targetLanguages) await assertCanTranslate(connection, 'auto', target)
  }

  /** Returns what a batch of the selected recordings would do. Checks only the first 1,000 recordings. */
  async function preview(ownerId: string, request: BatchRequest): Promise<BatchPreview> {
    const ids = await findSelected(connection, ownerId, request.selection)
    const batch = { ...toBatch(ownerId, request), id: newId(), state: 'running' as const, since: Infinity }
    const plans: ItemPlan[] = []
    for (let at = 0; at < Math.min(ids.length, maxPreviewed); at += previewChunkSize) {
      const items = ids.slice(at, at + previewChunkSize).map((recordingId) => ({ recordingId, since: Infinity }))
      for (const { plan } of await planItems(queue, batch, items)) plans.push(plan)
    }
    return { total: ids.length, checked: plans.length, ...sumPlans(plans, batch.targetLanguages.length) }
  }

  async function get(ownerId: string, id: string): Promise<BatchRecord> {
    const batch = await findBatch(connection, ownerId, id)
    if (!batch) throw batchNotFound()
    return batch
  }

  /** Cancels the rest of a batch, including its waiting jobs. Running jobs are finished. */
  async function cancel(ownerId: string, id: string): Promise<BatchRecord> {
    const batch = await cancelBatch(connection, ownerId, id)
    if (!batch) throw batchNotFound()
    if (batch.finishedAt === null) await advanceBatch(deps, { batch, shares: 1, isCounted: false })
    return get(ownerId, id)
  }

  /** Retries the failed recordings of a batch. Does nothing if none failed. */
  async function retryFailed(ownerId: string, id: string): Promise<BatchRecord> {
    await get(ownerId, id)
    if ((await retryFailedItems(connection, id)) > 0) {
      await resumeBatch(connection, ownerId, id)
      await advanceBatch(deps, { batch: await get(ownerId, id), shares: maxOpenBatches, isCounted: false })
      wakeFeeder()
    }
    return get(ownerId, id)
  }

  return {
    create,
    preview,
    list: (ownerId: string) => listBatches(connection, ownerId),
    get,
    listItems: (batchId: string, state: BatchItemState | undefined, paging: { page: number; perPage: number }) =>
      listItems(connection, { batchId, state }, paging),
    cancel,
    retryFailed,
  }
}

function toBatch(ownerId: string, { transcribe, target_languages, redo }: BatchRequest): NewBatch {
  return {
    ownerId,
    transcribe: transcribe && toTranscription(transcribe),
    targetLanguages: target_languages,
    redo,
  }
}

function toTranscription({ language, channel_languages, ...asked }: BatchTranscription): BatchTranscriptionRecord {
  const { model, names = [], speaker_count, split_voices = [] } = asked
  return {
    language,
    channelLanguages: channel_languages,
    ...(model !== undefined && { model }),
    ...(names.length > 0 && { names }),
    ...(speaker_count !== undefined && { speakerCount: speaker_count }),
    ...(split_voices.includes(true) && { splitVoices: split_voices }),
  }
}

/** Counts the planned jobs. Each recording to be transcribed is then translated into every target language. */
function sumPlans(plans: ItemPlan[], targetCount: number): Omit<BatchPreview, 'total' | 'checked'> {
  const kinds = plans.flatMap(({ jobs }) => jobs.map(({ params }) => params.kind))
  const transcriptions = kinds.filter((kind) => kind === 'transcribe').length
  const postponed = plans.filter(({ isPostponed }) => isPostponed).length
  const translations = kinds.length - transcriptions + (transcriptions + postponed) * targetCount
  const skipped = new Map<string, number>()
  for (const { state, reason } of plans) {
    if (state === 'skipped' && reason) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
  }
  return {
    transcriptions,
    translations,
    skipped: [...skipped]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
  }
}

function batchNotFound(): AppError {
  return new AppError('not_found', 'Batch not found')
}
