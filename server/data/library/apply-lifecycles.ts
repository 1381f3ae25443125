import { setAlertsHidden } from '../alerts/raised-alerts.ts'
import { setCaseRecordingsHidden } from '../cases/hidden-recordings.ts'
import { holdJobs, releaseJobs } from '../jobs/hold.ts'
import type { Queue } from '../jobs/queue.ts'
import { findKeptRecordings } from '../recordings/lifecycle.ts'
import type { RecordingRecord } from '../recordings/recording-record.ts'
import { updateEntries } from './entries.ts'

/**
 * Brings entries, alerts, cases and jobs of an owner's recordings in line with where the recordings are: in the trash, they are hidden
 * and wait; otherwise they are shown and start. Recordings are reread afterwards until nothing has changed, so that a simultaneous
 * removal and restoration leave no stale state. Permanently deleted recordings are left to the code that deletes them.
 */
export async function applyLifecycles(queue: Queue, ownerId: string, ids: string[]): Promise<void> {
  let due = await findOwn(queue, ownerId, ids)
  while (due.size > 0) {
    await apply(queue, ownerId, [...due.values()])
    const written = due
    const now = await findOwn(queue, ownerId, [...written.keys()])
    due = new Map([...now].filter(([id, { version }]) => version !== written.get(id)?.version))
  }
}

async function findOwn({ connection }: Queue, ownerId: string, ids: string[]): Promise<Map<string, RecordingRecord>> {
  const found = await findKeptRecordings(connection, ids)
  return new Map([...found].filter(([, recording]) => recording.ownerId === ownerId))
}

async function apply(queue: Queue, ownerId: string, recordings: RecordingRecord[]): Promise<void> {
  await updateEntries(queue.connection, recordings)
  for (const isHidden of [true, false]) {
    const ids = recordings.filter(({ deletedAt }) => (deletedAt !== null) === isHidden).map(({ id }) => id)
    if (ids.length === 0) continue
    await setAlertsHidden(queue.connection, { ownerId, recordingIds: ids, isHidden })
    await setCaseRecordingsHidden(queue.connection, { ownerId, recordingIds: ids, isHidden })
    await (isHidden ? holdJobs : releaseJobs)(queue, ownerId, ids)
  }
}
