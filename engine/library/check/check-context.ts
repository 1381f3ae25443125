import type { Logger } from 'pino'
import type { LibraryRepairs } from '#contract/entities/library-check.ts'
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
  return { recordings: 0, repaired: { entries: 0, search: 0, alerts: 0, hits: 0, cases: 0 }, failed: 0 }
}

/** Runs a repair, which returns whether it repaired something. One that fails keeps no other recording back: the next check finds it again. */
export async function repair(
  { found, log }: LibraryCheckContext,
  kind: keyof LibraryRepairs,
  { id }: Pick<OwnedRecording, 'id'>,
  run: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await run()) found.repaired[kind] += 1
  } catch (err) {
    found.failed += 1
    log.error({ err, recordingId: id, kind }, 'what is derived from a recording could not be repaired')
  }
}
