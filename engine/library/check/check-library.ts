import type { Logger } from 'pino'
import { findLastChange } from '#data/jobs/changes.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { countRepairs, saveLibraryCheck } from '#data/library/library-checks.ts'
import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import { removeRecordingFromCases } from '#data/cases/case-recordings.ts'
import { applyLifecycles } from '#data/library/apply-lifecycles.ts'
import { derivedRecords, listHiddenAlerts, type OwnedRecording } from '#data/library/derived-records.ts'
import { listGone, readKeptLifecycles } from '#data/recordings/lifecycle.ts'
import type { LibraryBackgroundTask, LibraryStep } from '../changed-recording.ts'
import { deriveRecording } from '../derive-recording.ts'
import { noFindings, type LibraryCheckContext, repair } from './check-context.ts'
import { checkRecordings } from './check-recordings.ts'

/** By the host's clock, when most people are asleep. */
const hourOfNight = 3

interface CheckOptions {
  queue: Queue
  /** The steps that derive everything from a recording. */
  steps: LibraryStep[]
  log: Logger
}

interface CheckTaskOptions extends CheckOptions {
  /** How long one call may work; it checks at least one recording. */
  maxStepMs?: number
}

const kinds: Record<keyof typeof derivedRecords, keyof LibraryRepairs> = {
  entries: 'entries',
  search: 'search',
  searchLines: 'search',
  alerts: 'alerts',
  alertRuns: 'alerts',
  cases: 'cases',
}

/**
 * Returns the task that compares derived data with the recordings and repairs differences, for a short while per call: once when this
 * process begins to follow changes, and then every night. A running check ends if another process takes over. Repeating it changes nothing.
 */
export function createLibraryCheck({ maxStepMs = 80, ...options }: CheckTaskOptions): {
  task: LibraryBackgroundTask
  /** Returns the milliseconds until the next check, in the process that followed last; Infinity if this process has not followed. */
  dueInMs: () => number
} {
  let running: AsyncGenerator<void> | undefined
  let nextAtMs = 0
  let lastLease: AbortSignal | undefined

  const task: LibraryBackgroundTask = async (lease) => {
    if (lease !== lastLease) [lastLease, running, nextAtMs] = [lease, undefined, 0]
    if (!running && performance.now() < nextAtMs) return false
    const endsAtMs = performance.now() + maxStepMs
    running ??= checkLibrary(options)
    // A failed check starts again a minute later, so that it does not hold up other work.
    nextAtMs = performance.now() + 60_000
    try {
      do {
        if (!(await running.next()).done) continue
        running = undefined
        nextAtMs = performance.now() + msUntilNight(new Date())
        return true
      } while (performance.now() < endsAtMs)
    } catch (error) {
      running = undefined
      throw error
    }
    return true
  }

  return { task, dueInMs: () => (lastLease ? nextAtMs - performance.now() : Infinity) }
}

/** Runs one check. Yields where other work may run. */
export async function* checkLibrary({ queue, steps, log }: CheckOptions): AsyncGenerator<void> {
  const startedAtMs = performance.now()
  const found = noFindings()
  const context: LibraryCheckContext = { queue, steps, log, lastChange: await findLastChange(queue), found }
  yield* checkRecordings(context)
  yield* removeOrphans(context)
  await saveLibraryCheck(queue.connection, found)
  const { recordings, repaired, failed } = found
  const figures = { recordings, ...repaired, failed, seconds: Math.round(performance.now() - startedAtMs) / 1000 }
  if (countRepairs(repaired) + failed > 0) log.warn(figures, 'what is derived from recordings was checked and repaired')
  else log.info(figures, 'what is derived from recordings was checked')
}

function msUntilNight(now: Date): number {
  const night = new Date(now)
  night.setHours(hourOfNight, 0, 0, 0)
  if (night <= now) night.setDate(night.getDate() + 1)
  return night.getTime() - now.getTime()
}

/** Removes the remains of deleted recordings, and shows alerts that are hidden although their recording is not. Yields after each page. */
async function* removeOrphans(context: LibraryCheckContext): AsyncGenerator<void> {
  const places = Object.keys(kinds) as (keyof typeof kinds)[] // exactly the keys of its type
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

/** Shows such alerts of the owners whose alerts begin on a page. */
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
