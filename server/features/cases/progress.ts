import { noProgress, type ReviewProgress } from '#contract/review-state.ts'
import { listCaseRecordings } from '#data/cases/case-recordings.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { inChunks } from '#data/library/in-chunks.ts'
import { findDurations } from '#data/recordings/access.ts'
import { findProgress } from '#data/review-progress.ts'

/** Returns how much of the recordings of a case a member has heard, and how much anybody has verified, weighted by their lengths. */
export async function readCaseProgress(
  connection: DatabaseConnection,
  userId: string,
  caseId: string,
): Promise<ReviewProgress & { recordings: number }> {
  const sum = { ...noProgress, recordings: 0, durationMs: 0 }
  await inChunks(await listCaseRecordings(connection, userId, caseId), async (chunk) => {
    const durations = await findDurations(connection, chunk)
    const progress = await findProgress(connection, userId, [...durations.keys()])
    for (const [id, durationMs] of durations) {
      const read = progress.get(id) ?? noProgress
      sum.recordings += 1
      sum.durationMs += durationMs
      sum.heard += read.heard * durationMs
      sum.verified += read.verified * durationMs
      sum.verified_twice += read.verified_twice * durationMs
    }
  })
  const share = (weighted: number) => (sum.durationMs === 0 ? 0 : weighted / sum.durationMs)
  return {
    recordings: sum.recordings,
    heard: share(sum.heard),
    verified: share(sum.verified),
    verified_twice: share(sum.verified_twice),
  }
}
