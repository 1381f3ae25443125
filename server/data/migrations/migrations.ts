import type { Migration } from './migration.ts'
import { storeSortNames } from './store-sort-names.ts'
import { summarizeTranscriptions } from './summarize-transcriptions.ts'

/** Every migration, in the order in which they run. New ones go at the end; existing ones are never renamed or moved. */
export const migrations: readonly Migration[] = [storeSortNames, summarizeTranscriptions]
