const dayMs = 24 * 60 * 60 * 1000
/** A prime number, so that backups at any regular interval reach every blob. */
const rotationDays = 61

/** Whether the blob belongs to the part of all blobs that a backup of this day hashes again: each is due once in 61 days. */
export function isDueForCheck(name: string, now: Date): boolean {
  return Number.parseInt(name.slice(0, 8), 16) % rotationDays === Math.floor(now.getTime() / dayMs) % rotationDays
}
