/** Returns a size for a person: `12.3 MB`. */
export function describeBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Returns what to add to a number of recordings: empty where all their audio is as uploaded. */
export function describeFaulty(count: number): string {
  return count === 0 ? '' : ` (the audio of ${count} is missing or damaged)`
}
