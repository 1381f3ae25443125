import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { countAllWaiting, listWaitingJobs } from '#data/batches/batch-jobs.ts'
import {
  cancelWaitingItems,
  countItems,
  findDueItems,
  findRunningItems,
  updateItem,
  updateItems,
  type BatchItemRecord,
  type ItemChange,
} from '#data/batches/batch-items.ts'
import { cancelBatch, saveCounts, type BatchRecord } from '#data/batches/batches.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import type { NewJob } from '#data/jobs/enqueue.ts'
import type { JobsDeps } from '../jobs/deps.ts'
import { startJob } from '../jobs/start-job.ts'
import type { ItemPlan } from './plan-item.ts'
import { planItems } from './plan-items.ts'

export type BatchAdvanceDeps = Pick<JobsDeps, 'queue' | 'isUserActive' | 'notifyEngines'>

/**
 * Maximum number of waiting jobs from all batches of a user: enough to keep engines busy, leaving the rest of the user's limit to single
 * jobs.
 */
const maxWaitingPerUser = 20
/** Batches queue nothing while this share of the whole queue's capacity is taken. */
const maxShareOfQueue = 0.5
/** Number of recordings planned at once. */
const chunkSize = 100
/** Number of recordings checked in one round, so that one batch does not hold up the others. */
const maxPerRound = 500
/** How long a translation waits before checking for the transcription again. */
const postponedMs = 15_000
/** A full queue will accept more later. */
const fullCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['too_many_jobs', 'queue_full'])

/**
 * Does one round of a batch: records which jobs have ended, queues the next ones as far as there is room, and ends the batch when nothing
 * is left. Interrupted anywhere and repeated, or run by two servers at once, it neither loses nor duplicates anything: see planItem.
 *
 * @param shares how many open batches share what one user may have waiting
 */
export async function advanceBatch(
  deps: BatchAdvanceDeps,
  { shares, ...options }: { batch: BatchRecord; shares: number; isCounted: boolean },
): Promise<void> {
  const { connection } = deps.queue
  const batch = await cancelForClosedAccount(deps, options.batch)
  if (batch.state === 'cancelled') await cancelRest(deps, batch)
  const running = await findRunningItems(connection, batch.id, maxPerRound)
  const resumed = await applyPlans(deps, batch, running, Infinity)
  const filled = batch.state === 'running' && !resumed.isFull ? await fill(deps, batch, shares) : false
  if (resumed.hasChanged || filled || !options.isCounted) {
    await saveCounts(connection, batch, await countItems(connection, batch.id))
  }
}

async function cancelForClosedAccount(
  { queue, isUserActive }: BatchAdvanceDeps,
  batch: BatchRecord,
): Promise<BatchRecord> {
  if (batch.state !== 'running' || (await isUserActive(batch.ownerId))) return batch
  return (await cancelBatch(queue.connection, batch.ownerId, batch.id)) ?? batch
}

async function cancelRest({ queue }: BatchAdvanceDeps, batch: BatchRecord): Promise<void> {
  await cancelWaitingItems(queue.connection, batch.id)
  for (const id of await listWaitingJobs(queue, batch)) await cancelJob(queue, batch.ownerId, id)
}

/** Queues the jobs of the recordings whose turn has come. Returns whether anything changed. */
async function fill(deps: BatchAdvanceDeps, batch: BatchRecord, shares: number): Promise<boolean> {
  const { queue } = deps
  const { connection, limits } = queue
  let room = await countRoom(deps, batch, shares)
  let hasChanged = false
  for (let looked = 0; room > 0 && looked < maxPerRound; looked += chunkSize) {
    if ((await countAllWaiting(queue)) >= limits.maxQueued * maxShareOfQueue) break
    const items = await findDueItems(connection, batch.id, { nowMs: Date.now(), limit: chunkSize })
    const round = await applyPlans(deps, batch, items, room)
    hasChanged ||= round.hasChanged
    room -= round.started
    if (round.isFull || items.length < chunkSize) break
  }
  return hasChanged
}

async function countRoom({ queue }: BatchAdvanceDeps, batch: BatchRecord, shares: number): Promise<number> {
  const most = Math.min(maxWaitingPerUser, queue.limits.maxQueuedPerUser)
  const waiting = await listWaitingJobs(queue, batch)
  return Math.max(1, Math.floor(most / shares)) - waiting.length
}

interface Round {
  started: number
  hasChanged: boolean
  /** Whether the queue is accepting no more jobs. */
  isFull: boolean
}

async function applyPlans(
  deps: BatchAdvanceDeps,
  batch: BatchRecord,
  items: BatchItemRecord[],
  room: number,
): Promise<Round> {
  const round: Round = { started: 0, hasChanged: false, isFull: false }
  const planned = await planItems(deps.queue, batch, items)
  // Recordings that need no job are written in one command: a long batch may have thousands that were already done.
  const settled = planned.filter(({ plan }) => plan.jobs.length === 0).flatMap(({ item, plan }) => toChange(item, plan))
  await updateItems(deps.queue.connection, settled)
  for (const { item, plan } of planned) {
    if (plan.jobs.length === 0) continue
    if (round.isFull || round.started >= room) break
    const { started, hasChanged, isFull } = await begin(deps, item, plan)
    round.started += started
    round.hasChanged ||= hasChanged
    round.isFull ||= isFull
  }
  return { ...round, hasChanged: round.hasChanged || settled.length > 0 }
}

/** Returns the change that a plan makes; empty if it changes nothing. */
function toChange(item: BatchItemRecord, { state, reason, isPostponed }: ItemPlan): ItemChange[] {
  const dueAtMs = isPostponed ? Date.now() + postponedMs : item.dueAtMs
  const isSame = state === item.state && reason === item.reason && dueAtMs === item.dueAtMs
  return isSame ? [] : [{ item, changes: { state, reason, dueAtMs } }]
}

/** Marks a recording as running before its jobs are queued, so that a cancellation of the batch in between waits for it. */
async function begin(deps: BatchAdvanceDeps, item: BatchItemRecord, plan: ItemPlan): Promise<Round> {
  const { connection } = deps.queue
  const [change] = toChange(item, plan)
  if (change && !(await updateItem(connection, item, change.changes))) {
    return { started: 0, hasChanged: true, isFull: false }
  }
  const { started, isFull } = await startJobs(deps, plan.jobs)
  const hasBegun = started > 0 || item.state === 'running'
  if (isFull && !hasBegun) await updateItem(connection, { id: item.id, state: plan.state }, { state: 'waiting' })
  return { started, hasChanged: change !== undefined && hasBegun, isFull }
}

async function startJobs(deps: BatchAdvanceDeps, jobs: NewJob[]): Promise<{ started: number; isFull: boolean }> {
  let started = 0
  for (const job of jobs) {
    try {
      await startJob(deps, job, { isForced: false, isNewWork: true })
    } catch (error) {
      // The account has been closed in the meantime: the next round cancels the batch.
      if (error instanceof AppError && error.code === 'session_expired') return { started, isFull: true }
      if (error instanceof AppError && fullCodes.has(error.code)) return { started, isFull: true }
      throw error
    }
    started += 1
  }
  return { started, isFull: false }
}
