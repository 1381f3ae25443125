import type { Migration } from './migration.ts'
import { storeSortNames } from './store-sort-names.ts'
import { summarizeTranscriptions } from './summarize-transcriptions.ts'

/** Every migration, in the order in which they run. New ones are added at the end; none is renamed or moved. */
export const migrations: readonly Migration[] = [storeSortNames, summarizeTranscriptions]
