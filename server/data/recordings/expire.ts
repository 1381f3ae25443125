import type { AudioStore } from '../audio-store/audio-store.ts'
import { readDatabaseTime } from '../database-time.ts'
import type { Queue } from '../jobs/queue.ts'
import { findDueRecordings } from '../retention/due-recordings.ts'
import { removeDueTexts } from '../retention/due-texts.ts'
import { readRetentionRules } from '../retention/rules.ts'
import { purgeRecording, removeRecording } from './remove.ts'

/** Maximum number of recordings deleted in one run: the next run takes the rest. */
const maxPerRun = 1_000

/**
 * Deletes what is older than the rules allow (docs/retention.md): recordings with everything made from them, and texts sent for
 * translation with their translations. Where no rule is set, `days` (RETENTION_DAYS) applies; 0 deletes nothing. Whatever is on hold
 * stays. Returns how many recordings and texts were deleted.
 */
export async function removeExpired(
  stores: { queue: Queue; audioStore: AudioStore },
  days: number,
): Promise<{ recordings: number; texts: number }> {
  const { connection } = stores.queue
  const rules = await readRetentionRules(connection, days)
  const now = await readDatabaseTime(connection)
  const due = await findDueRecordings(connection, rules, { at: now })
  let recordings = 0
  for (const { id, ownerId, isInTrash, days: keptDays, rule } of due.slice(0, maxPerRun)) {
    const deletion = { details: `retention of ${keptDays} days by ${rule}` }
    const isGone = isInTrash
      ? await purgeRecording(stores, id, deletion)
      : (await removeRecording(stores, ownerId, id, deletion)) === 'removed'
    if (isGone) recordings += 1
  }
  return { recordings, texts: await removeDueTexts(connection, rules, now) }
}
