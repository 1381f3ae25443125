import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import { removeRecordingFromCases } from '#data/cases/case-recordings.ts'
import { applyLifecycles } from '#data/library/apply-lifecycles.ts'
import { derivedRecords, listHiddenAlerts, type OwnedRecording } from '#data/library/derived-records.ts'
import { listGone, readKeptLifecycles } from '#data/recordings/lifecycle.ts'
import { deriveRecording } from '../derive-recording.ts'
import { repair, type LibraryCheckContext } from './check-context.ts'

const kinds: Record<keyof typeof derivedRecords, keyof LibraryRepairs> = {
  entries: 'entries',
  search: 'search',
  searchLines: 'search',
  alerts: 'alerts',
  alertRuns: 'alerts',
  cases: 'cases',
}

/** Removes what is left of recordings that are gone, and shows alerts that are hidden although their recording is not. Yields after each page. */
export async function* removeOrphans(context: LibraryCheckContext): AsyncGenerator<void> {
  const places = Object.keys(kinds) as (keyof typeof kinds)[] // of the same keys
  for (const place of places) {
    let after: OwnedRecording | null = null
    for (;;) {
      const page: OwnedRecording[] = await derivedRecords[place](context.queue.connection, after)
      const last: OwnedRecording | undefined = page.at(-1)
      if (!last) break
      await removeGone(context, kinds[place], page)
      if (place === 'alerts') yield* showAlerts(context, new Set(page.map(({ ownerId }) => ownerId)), after)
      yield
      after = last
    }
  }
}

async function removeGone(
  context: LibraryCheckContext,
  kind: keyof LibraryRepairs,
  page: OwnedRecording[],
): Promise<void> {
  const { queue, steps } = context
  for (const owned of await listGone(queue.connection, page)) {
    await repair(context, kind, owned, async () => {
      await deriveRecording(queue, steps, owned, { isRepair: true })
      if (kind === 'cases') await removeRecordingFromCases(queue.connection, owned.id)
      return true
    })
  }
}

/** Of the owners whose alerts begin on a page. */
async function* showAlerts(
  context: LibraryCheckContext,
  owners: Set<string>,
  after: OwnedRecording | null,
): AsyncGenerator<void> {
  const { queue } = context
  for (const ownerId of owners) {
    if (ownerId === after?.ownerId) continue
    let before: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listHiddenAlerts>> = await listHiddenAlerts(
        queue.connection,
        ownerId,
        before,
      )
      const kept = await readKeptLifecycles(queue.connection, page.recordingIds)
      for (const [id, { lifecycle }] of kept) {
        if (lifecycle !== 'live') continue
        await repair(context, 'alerts', { id }, async () => {
          await applyLifecycles(queue, ownerId, [id])
          return true
        })
      }
      yield
      before = page.before
    } while (before !== null)
  }
}
