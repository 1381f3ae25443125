import { findTranscribedByOthers, type BatchItemRecord } from '#data/batches/batch-items.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { findRecordings } from '#data/recordings/recordings.ts'
import { planItem, type BatchWork, type ItemPlan } from './plan-item.ts'

type PlannedItem = Pick<BatchItemRecord, 'recordingId' | 'since'>

/** Plans some recordings of a batch in three queries. */
export async function planItems<Item extends PlannedItem>(
  queue: Queue,
  batch: BatchWork,
  items: Item[],
): Promise<{ item: Item; plan: ItemPlan }[]> {
  if (items.length === 0) return []
  const { connection } = queue
  const ids = items.map(({ recordingId }) => recordingId)
  const [recordings, jobs, awaited] = await Promise.all([
    findRecordings(connection, batch.ownerId, ids),
    listJobsOfRecordings(queue, batch.ownerId, ids),
    batch.transcribe
      ? new Set<string>()
      : findTranscribedByOthers(connection, { ownerId: batch.ownerId, batchId: batch.id }, ids),
  ])
  const jobsOf = groupByRecording(jobs)
  return items.map((item) => {
    const { recordingId: id } = item
    const recording = recordings.get(id) ?? null
    const facts = { recording, jobs: jobsOf.get(id) ?? [], isTranscribedByOther: awaited.has(id) }
    return { item, plan: planItem(batch, item, facts) }
  })
}

function groupByRecording(jobs: JobRecord[]): Map<string, JobRecord[]> {
  const groups = new Map<string, JobRecord[]>()
  for (const job of jobs) {
    if (job.recordingId === null) continue
    const group = groups.get(job.recordingId)
    if (group) group.push(job)
    else groups.set(job.recordingId, [job])
  }
  return groups
}
