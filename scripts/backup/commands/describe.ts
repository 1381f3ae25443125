import type { BackupManifest, DamagedDocument } from '../format/manifest.ts'
import type { PruneResult } from '../store/prune.ts'

/** Returns a human-readable size: `12.3 MB`. */
export function describeBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Returns a line about the backups that were deleted. */
export function describePruned({ removed, sizeBytes }: Pick<PruneResult, 'removed' | 'sizeBytes'>): string {
  if (removed.length === 0) return 'No old backup had to be deleted'
  const what = removed.length === 1 ? 'One old backup' : `${removed.length} old backups`
  return `${what} deleted (${listFirst(removed)}), ${describeBytes(sizeBytes)} freed`
}

/** Returns a suffix for a number of recordings: empty where all their audio is as uploaded. */
export function describeFaulty(count: number): string {
  return count === 0 ? '' : ` (the audio of ${count} is missing or damaged)`
}

/** Returns a suffix for a number of documents: empty where none is damaged. */
export function describeDamagedCount(count = 0): string {
  return count === 0 ? '' : ` (${count} damaged)`
}

/** Returns the first names of a list that may be long. */
export function listFirst(names: string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and others` : names.join(', ')
}

/** Names damaged documents, by collection and id. */
export function listDocumentNames(damaged: DamagedDocument[]): string {
  return listFirst(damaged.map(({ collection, id }) => `${collection} ${id}`))
}

/** Returns a sentence about documents that were already damaged when the backup was made; empty where there are none. */
export function describeDamagedDocuments({ damagedDocuments: damaged }: BackupManifest): string {
  if (damaged.length === 0) return ''
  const count = damaged.length === 1 ? 'One document was' : `${damaged.length} documents were`
  return ` ${count} damaged when it was made: ${listDocumentNames(damaged)}.`
}

/** Returns a sentence about recordings whose audio was not as uploaded when the backup was made; empty where there are none. */
export function describeFaultyAudio({ missingAudio, damagedAudio }: BackupManifest): string {
  const count = missingAudio.length + damagedAudio.length
  if (count === 0) return ''
  return ` The audio of ${count === 1 ? 'one recording' : `${count} recordings`} was missing or damaged when it was made.`
}
