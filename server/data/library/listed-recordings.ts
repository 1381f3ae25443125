import type { ReviewProgress } from '#contract/review-state.ts'
import { toObjectId } from '../ids.ts'
import { toJobRecord, type JobRecord } from '../jobs/job-record.ts'
import type { Queue } from '../jobs/queue.ts'
import { jobsOfRecordings, sortJobs } from '../jobs/results.ts'
import { readTogether } from '../read-together.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from '../recordings/recording-record.ts'
import { progressReads, toProgress } from '../review-progress.ts'

/** What a page of a list shows. */
export interface ListedRecordings {
  /** The recordings that the owner has, by id. */
  recordings: Map<string, RecordingRecord>
  /** All jobs of the recordings, last finished first. */
  jobs: JobRecord[]
  progress: Map<string, ReviewProgress>
}

/** Reads recordings of an owner with their jobs and how much the owner has reviewed, in one command. */
export async function readListed(
  { connection }: Queue,
  ownerId: string,
  recordingIds: string[],
): Promise<ListedRecordings> {
  if (recordingIds.length === 0) return { recordings: new Map(), jobs: [], progress: new Map() }
  const { recordings, jobs, ...reviewed } = await readTogether({
    recordings: {
      model: recordingModel(connection),
      filter: { _id: { $in: recordingIds.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null },
    },
    jobs: jobsOfRecordings(connection, ownerId, recordingIds),
    ...progressReads(connection, ownerId, recordingIds),
  })
  return {
    recordings: new Map(recordings.map((document) => [document._id.toHexString(), toRecordingRecord(document)])),
    jobs: sortJobs(jobs).map(toJobRecord),
    progress: toProgress(reviewed),
  }
}
