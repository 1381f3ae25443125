import type { Logger } from 'pino'
import type { LibraryRepairs } from '#contract/entities/library-check.ts'
import { isDatabaseUnavailable } from '#data/database-errors.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { OwnedRecording } from '#data/library/derived-records.ts'
import type { LibraryStep } from '../changed-recording.ts'

/** The context shared by the parts of a check. */
export interface LibraryCheckContext {
  queue: Queue
  /** The steps that derive everything from a recording: a repair runs them again. */
  steps: LibraryStep[]
  log: Logger
  /** Later changes are left to the follower, which handles them anyway. */
  lastChange: number
  found: LibraryCheckFindings
}

/** The findings of a check, in numbers. */
export interface LibraryCheckFindings {
  recordings: number
  repaired: LibraryRepairs
  failed: number
}

export function noFindings(): LibraryCheckFindings {
  return { recordings: 0, repaired: { entries: 0, search: 0, alerts: 0, jobs: 0, hits: 0, cases: 0 }, failed: 0 }
}

/**
 * Runs a repair, which returns whether it repaired something. A failed repair does not hold up other recordings: the next check finds the
 * problem again. Throws if the database cannot be reached.
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

/** Rethrows an error that says nothing about a recording: if the database cannot be reached, the check ends and soon starts again. */
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
