import type { Logger } from 'pino'
import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import { isDatabaseUnavailable } from '#data/database-errors.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { OwnedRecording } from '#data/library/derived-records.ts'
import type { LibraryStep } from '../changed-recording.ts'

/** What the parts of a check share. */
export interface LibraryCheckContext {
  queue: Queue
  /** Everything that is derived from a recording: a repair derives it again. */
  steps: LibraryStep[]
  log: Logger
  /** Changes after this one are left to the follower, which handles them anyway. */
  lastChange: number
  found: LibraryCheckFindings
}

/** What a check found, in numbers. */
export interface LibraryCheckFindings {
  recordings: number
  repaired: LibraryRepairs
  failed: number
}

export function noFindings(): LibraryCheckFindings {
  return { recordings: 0, repaired: { entries: 0, search: 0, alerts: 0, jobs: 0, hits: 0, cases: 0 }, failed: 0 }
}

/**
 * Runs a repair, which returns whether it repaired something. One that fails holds up no other recording: the next check finds it again.
 * Throws where the database cannot be reached.
 */
export async function repair(
  context: LibraryCheckContext,
  kind: keyof LibraryRepairs,
  owned: Pick<OwnedRecording, 'id'>,
  run: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await run()) context.found.repaired[kind] += 1
  } catch (err) {
    rethrowOutage(err)
    recordFailure(context, owned, err)
  }
}

/** Rethrows an error that says nothing about a recording: the database cannot be reached, and the check ends, to begin again soon. */
export function rethrowOutage(error: unknown): void {
  if (isDatabaseUnavailable(error)) throw error
}

/** Counts and logs a recording that could not be compared or repaired. */
export function recordFailure(
  { found, log }: LibraryCheckContext,
  { id }: Pick<OwnedRecording, 'id'>,
  err: unknown,
): void {
  found.failed += 1
  log.error({ err, recordingId: id }, 'what is derived from a recording could not be checked or repaired')
}
