import type { z } from 'zod'
import type { CaseRecording } from '#contract/cases.ts'
import { noProgress } from '#contract/review-state.ts'
import type { CaseRecordingRecord } from '#data/cases/case-recordings.ts'
import { roleIn } from '#data/cases/case-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findRecordingsOfOwners } from '#data/recordings/access.ts'
import { findProgress } from '#data/review-progress.ts'
import { findPeople } from '#data/users/people.ts'
import { presentRecordings } from '../recordings/present.ts'
import type { OpenedCase } from './policy.ts'
import { presentOwner } from './present.ts'

/** Returns recordings of a case as one of its members sees them, in their order; without those that were deleted or whose owner left. */
export async function presentCaseRecordings(
  queue: Queue,
  { record, role, userId }: OpenedCase & { userId: string },
  rows: CaseRecordingRecord[],
): Promise<z.input<typeof CaseRecording>[]> {
  const valid = rows.filter(({ ownerId }) => roleIn(record, ownerId) !== null)
  const [found, people, progress] = await Promise.all([
    findRecordingsOfOwners(queue.connection, valid),
    findPeople(
      queue.connection,
      valid.map(({ ownerId }) => ownerId),
    ),
    findProgress(
      queue.connection,
      userId,
      valid.map(({ recordingId }) => recordingId),
    ),
  ])
  const byOwner = Map.groupBy(found.values(), ({ ownerId }) => ownerId)
  const presented = await Promise.all([...byOwner.values()].map((own) => presentRecordings(queue, own)))
  const shown = new Map(presented.flat().map((recording) => [recording.id, recording]))
  const access = role === 'view' ? 'view' : 'edit'
  return valid.flatMap(({ recordingId, ownerId, addedAt }) => {
    const recording = shown.get(recordingId)
    if (!recording) return []
    return [
      {
        recording,
        owner: presentOwner(ownerId, people),
        access: ownerId === userId ? ('owner' as const) : access,
        added_at: addedAt.toISOString(),
        progress: progress.get(recordingId) ?? noProgress,
      },
    ]
  })
}
