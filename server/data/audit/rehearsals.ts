import { basename } from 'node:path'
import type { AuditEventRepository } from './audit-events.ts'

/** How the last rehearsal of an archive ended. */
export interface LastRehearsal {
  at: Date
  isPassed: boolean
}

/** More than a year of weekly rehearsals. */
const maxRehearsals = 100

/** Returns how the last rehearsal of each archive ended, by the name of its file, newest first. */
export async function readRehearsals(
  events: Pick<AuditEventRepository, 'stream'>,
): Promise<Map<string, LastRehearsal>> {
  const found = new Map<string, LastRehearsal>()
  const query = { search: '', action: 'backup.rehearse', outcome: '' }
  for await (const { details, at, outcome } of events.stream(query, maxRehearsals)) {
    const name = basename(details)
    if (!found.has(name)) found.set(name, { at, isPassed: outcome === 'success' })
  }
  return found
}
