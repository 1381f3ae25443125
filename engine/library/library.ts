import type { Logger } from 'pino'
import type { Queue } from '#data/jobs/queue.ts'
import { createIndexMaintenance } from '#data/search/maintain-index.ts'
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

/** Returns the same as `createLibrary`, with the check of all that is derived among the work that can wait. */
export function createCheckedLibrary(queue: Queue, log: Logger): Library {
  const { steps, backgroundTasks } = createLibrary(queue)
  return { steps, backgroundTasks: [...backgroundTasks, createLibraryCheck({ queue, steps, log })] }
}

/** Returns what is derived from each recording when it changes, in this order, and the work that can wait. */
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
