import type { Logger } from 'pino'
import type { Queue } from '#data/jobs/queue.ts'
import { findRunningScan } from '#data/alerts/watch-lists.ts'
import {
  findRecount,
  endRecount,
  listCountedEntries,
  saveHits,
  saveUncountable,
  type CountedLibraryEntry,
} from '#data/library/recount.ts'
import { createIndexMaintenance, indexWorkDueInMs } from '#data/search/maintain-index.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { hasListeningWebhooks, oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import type { LibraryBackgroundTask, LibraryStep } from './changed-recording.ts'
import { createScanLibrary } from './alerts/scan-library.ts'
import { createLibraryCheck } from './check/check-library.ts'
import { createRaiseAlerts } from './raise-alerts.ts'
import { createSearchEntryWriter } from './search/write-search-entry.ts'
import { createWriteEntry } from './write-entry.ts'
import { countHits } from './count-hits.ts'
import { readCurrent } from './derive-recording.ts'
import { readKeywordSet, type KeywordSet } from './keyword-set.ts'
import { writeHitLines } from './search/write-hit-lines.ts'

interface Library {
  steps: LibraryStep[]
  backgroundTasks: LibraryBackgroundTask[]
}

interface CheckedLibrary extends Library {
  /** Returns the milliseconds until a background task has work; Infinity if none is planned. */
  dueInMs: () => Promise<number>
}

/** Maximum duration of one step of a background task. */
const maxStepMs = 80

/** A recording that fails this often, for instance because its result is damaged, no longer holds up the others. */
const maxFailures = 3

/** A recount in progress. */
interface Recount {
  ownerId: string
  key: string
  keywords: KeywordSet
  /** Only entries after this one are left. */
  afterId: string | null
  /** How often the entry after `afterId` has failed. */
  failures: number
}

/** Returns the same as `createLibrary`, but the work that can wait includes the check of all derived data. */
export function createCheckedLibrary(queue: Queue, log: Logger): CheckedLibrary {
  const { connection } = queue
  const { steps, backgroundTasks } = createLibrary(queue)
  const check = createLibraryCheck({ queue, steps, log })

  async function dueInMs(): Promise<number> {
    const [recount, scan] = await Promise.all([findRecount(connection), findRunningScan(connection)])
    if (recount || scan) return 0
    return Math.min(check.dueInMs(), await indexWorkDueInMs(connection))
  }

  return { steps, backgroundTasks: [...backgroundTasks, check.task], dueInMs }
}

/** Returns the steps that run in this order for each changed recording, and the work that can wait. */
export function createLibrary(queue: Queue): Library {
  const searchIndex = createIndexMaintenance(queue.connection)
  return {
    steps: [
      createSearchEntryWriter(queue, searchIndex),
      createOweWebhooks(queue.connection),
      createRaiseAlerts(queue.connection),
      createWriteEntry(queue),
    ],
    backgroundTasks: [() => searchIndex.runOnce(), createRecountHits(queue), createScanLibrary(queue)],
  }
}

/** Returns the step that records, for the owner's webhooks, each finished or failed job of a recording as owed. */
function createOweWebhooks(connection: DatabaseConnection): LibraryStep {
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

/** Returns the task that counts hits again in recordings of owners whose keywords changed. */
function createRecountHits(queue: Queue): LibraryBackgroundTask {
  const { connection } = queue
  let recount: Recount | null = null

  /** Starts over if the keywords have changed again. */
  async function findNext(): Promise<Recount | null> {
    const due = await findRecount(connection)
    if (!due || (recount?.key === due.key && recount.ownerId === due.ownerId)) return due && recount
    return { ...due, keywords: await readKeywordSet(connection, due.ownerId), afterId: null, failures: 0 }
  }

  async function recountOne(entry: CountedLibraryEntry, { ownerId, keywords }: Recount): Promise<void> {
    if (entry.countedKeywords === keywords.hash) return
    // Including recordings in the trash, which may come back after the count.
    const { recording } = await findWithLifecycle(connection, ownerId, entry.id)
    if (!recording) return
    const { readTextId, ...current } = await readCurrent(queue, recording)
    const countedText = await readTextId()
    const hits = await countHits(current, keywords.find)
    await writeHitLines(connection, { ownerId, id: entry.id }, keywords)
    await saveHits(connection, { ownerId, id: entry.id }, { hits, countedText, countedKeywords: keywords.hash })
  }

  return async () => {
    const endsAt = performance.now() + maxStepMs
    recount = await findNext()
    if (!recount) return false
    const entries = await listCountedEntries(connection, recount)
    if (entries.length === 0) await endRecount(connection, recount)
    for (const entry of entries) {
      try {
        await recountOne(entry, recount)
      } catch (error) {
        recount.failures += 1
        if (recount.failures < maxFailures) throw error
        await saveUncountable(connection, { ownerId: recount.ownerId, id: entry.id }, recount.keywords.hash)
      }
      Object.assign(recount, { afterId: entry.id, failures: 0 })
      if (performance.now() > endsAt) break
    }
    return true
  }
}
