import type { RecordingState } from '#contract/library.ts'
import { latestDone } from '../jobs/results.ts'
import { hasEnded, type JobRecord } from '../jobs/job-record.ts'

/** Positions in `sort: state`. They are stored, so they must never change. */
export const stateRanks: Record<RecordingState, number> = { running: 0, waiting: 1, failed: 2, new: 3, done: 4 }

/**
 * Returns the processing state of a recording.
 *
 * @param jobs all of the recording's jobs, sorted as by listJobsOfRecordings
 */
export function recordingState(jobs: JobRecord[]): RecordingState {
  const open = jobs.filter((job) => !hasEnded(job))
  if (open.some(({ state }) => state === 'running')) return 'running'
  if (open.length > 0) return 'waiting'
  if (latestDone(jobs, 'transcribe')) return 'done'
  const last = jobs.find(({ kind }) => kind === 'transcribe')
  return last?.state === 'failed' ? 'failed' : 'new'
}

/** Returns whether a stored position belongs to a recording with an open job. */
export function isOpenRank(rank: number): boolean {
  return rank === stateRanks.running || rank === stateRanks.waiting
}

/** Returns the state for a stored position. */
export function stateOfRank(rank: number): RecordingState {
  const states: RecordingState[] = ['running', 'waiting', 'failed', 'new', 'done']
  return states[rank] ?? 'new'
}
