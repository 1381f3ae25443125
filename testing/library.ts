import { pino } from 'pino'
import type { DatabaseConnection } from '#data/connect.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createFollower } from '#engine/library/follow-changes.ts'
import { createLibrary } from '#engine/library/library.ts'

/** Does what an engine does after recordings have changed, until nothing is left to do: api tests run without an engine. */
export async function settleLibrary(connection: DatabaseConnection): Promise<void> {
  const queue = openQueue(connection)
  const follower = createFollower({
    queue,
    holder: 'test',
    ...createLibrary(queue),
    drain: new AbortController().signal,
    log: pino({ level: 'warn' }),
  })
  // The first polls handle the changes, the second round handles what can wait.
  while (await follower.poll());
  while (await follower.poll());
  await follower.release()
}

/** Like `settleLibrary`, but keeps one follower, which handles only what is new since the last call. */
export function openLibraryFollower(connection: DatabaseConnection) {
  const queue = openQueue(connection)
  const follower = createFollower({
    queue,
    holder: 'test',
    ...createLibrary(queue),
    drain: new AbortController().signal,
    log: pino({ level: 'silent' }),
  })
  return {
    /** Handles what has changed so far. */
    poll: follower.poll,
    /** Handles what has changed, any changes that result, and what can wait. */
    async settle(): Promise<void> {
      for (let round = 0; round < 3; round += 1) while (await follower.poll());
    },
  }
}
