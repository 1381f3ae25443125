import { setTimeout as wait } from 'node:timers/promises'
import { Types } from 'mongoose'
import type { KeptStateKind } from '#contract/holds.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { heldRecording, notHeld, recordingHeldError } from './held.ts'
import { keepState } from './kept-states.ts'

/** Far longer than removing a note takes. A removal left by a process that died no longer counts after this. */
const removalTimeoutMs = 10_000
const pollMs = 20

interface Part {
  ownerId: string
  recordingId: string
}

/**
 * Runs `remove`, which removes a part of a recording, such as a note. Throws `on_hold` where the recording is on hold. A hold set in the
 * meantime waits until `remove` is done, so that nothing is removed after the hold was acknowledged.
 */
export async function removePart<Result>(
  connection: DatabaseConnection,
  part: Part,
  remove: () => Promise<Result>,
): Promise<Result> {
  return runUnlessHeld(connection, part, {
    run: remove,
    runHeld: () => {
      throw recordingHeldError()
    },
  })
}

/**
 * Runs `replace`, which overwrites `before`, something that people wrote. For a recording on hold, `before` is kept first, and a hold
 * set in the meantime waits as with `removePart`.
 */
export async function replacePart<Result>(
  connection: DatabaseConnection,
  part: Part,
  { replace, ...before }: { kind: KeptStateKind; state: unknown; replace: () => Promise<Result> },
): Promise<Result> {
  return runUnlessHeld(connection, part, {
    run: replace,
    runHeld: async () => {
      await keepState(connection, { ownerId: part.ownerId, subjectId: part.recordingId }, before)
      return replace()
    },
  })
}

async function runUnlessHeld<Result>(
  connection: DatabaseConnection,
  { ownerId, recordingId }: Part,
  { run, runHeld }: { run: () => Promise<Result>; runHeld: () => Promise<Result> },
): Promise<Result> {
  const recordings = recordingModel(connection)
  const own = { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
  const id = new Types.ObjectId()
  const until = new Date((await readDatabaseTime(connection)).getTime() + removalTimeoutMs)
  const { matchedCount } = await recordings.updateOne({ ...own, ...notHeld }, { $push: { removals: { id, until } } })
  if (matchedCount === 0 && (await recordings.exists({ ...own, ...heldRecording }))) return runHeld()
  try {
    return await run()
  } finally {
    await recordings.updateOne(own, { $pull: { removals: { id } } })
  }
}

/** Waits for removals that began before recordings were put on hold. */
export async function awaitRemovals(connection: DatabaseConnection, recordingIds: string[]): Promise<void> {
  const _id = { $in: recordingIds.map(toObjectId) }
  for (;;) {
    const now = await readDatabaseTime(connection)
    if (!(await recordingModel(connection).exists({ _id, 'removals.until': { $gt: now } }))) return
    await wait(pollMs)
  }
}
