import type { Logger } from 'pino'
import type { Queue } from '#data/jobs/queue.ts'
import { findRunningScan } from '#data/alerts/watch-lists.ts'
import { findRecount } from '#data/library/recount.ts'
import { createIndexMaintenance, indexWorkDueInMs } from '#data/search/maintain-index.ts'
import type { LibraryBackgroundTask, LibraryStep } from './changed-recording.ts'
import { createScanLibrary } from './alerts/scan-library.ts'
import { createLibraryCheck } from './check/check-library.ts'
import { createOweWebhooks } from './owe-webhooks.ts'
import { createRaiseAlerts } from './raise-alerts.ts'
import { createRecountHits } from './recount-hits.ts'
import { createSearchEntryWriter } from './search/write-search-entry.ts'
import { createWriteEntry } from './write-entry.ts'

interface Library {
  steps: LibraryStep[]
  backgroundTasks: LibraryBackgroundTask[]
}

interface CheckedLibrary extends Library {
  /** Returns the milliseconds until a background task has work; Infinity if none is planned. */
  dueInMs: () => Promise<number>
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
