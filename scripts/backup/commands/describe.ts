import type { BackupManifest } from '../format/manifest.ts'

/** Returns a size for a person: `12.3 MB`. */
export function describeBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Returns what to add to a number of recordings: empty where all their audio is as uploaded. */
export function describeFaulty(count: number): string {
  return count === 0 ? '' : ` (the audio of ${count} is missing or damaged)`
}

/** Returns a sentence about recordings whose audio was not as uploaded when the backup was made; empty where there are none. */
export function describeFaultyAudio({ missingAudio, damagedAudio }: BackupManifest): string {
  const count = missingAudio.length + damagedAudio.length
  if (count === 0) return ''
  return ` The audio of ${count === 1 ? 'one recording' : `${count} recordings`} was missing or damaged when it was made.`
}
