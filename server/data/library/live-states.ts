import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { jobModel, type JobDocument } from '../jobs/job-model.ts'
import { openQueue } from '../jobs/queue.ts'
import { listJobsOfRecordings } from '../jobs/results.ts'
import { currentTranscription } from '../recordings/versions.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { toRecordingRecord } from '../recordings/recording-record.ts'
import { isOpenRank, recordingState, stateRanks } from './recording-state.ts'

interface WithState {
  id: string
  state: number
  languages: string[]
}

/**
 * Returns rows with their current states. An engine updates the states of entries about a second after a change, and not at all while
 * no engine runs, so jobs that have started or ended in the meantime are read here.
 *
 * @param openJobs what `openJobsRead` reads
 */
export async function withLiveStates<Row extends WithState>(
  connection: DatabaseConnection,
  ownerId: string,
  { rows, openJobs }: { rows: Row[]; openJobs: OpenJob[] },
): Promise<Row[]> {
  const open = toOpenStates(openJobs)
  const ended = rows.filter(({ id, state }) => isOpenRank(state) && !open.has(id))
  const now = await readEndedStates(
    connection,
    ownerId,
    ended.map(({ id }) => id),
  )
  if (open.size === 0 && now.size === 0) return rows
  return rows.map((row) => {
    const state = open.get(row.id)
    if (state !== undefined) return state === row.state ? row : { ...row, state }
    const found = now.get(row.id)
    return found ? { ...row, ...found } : row
  })
}

type OpenJob = Pick<JobDocument, 'recordingId' | 'state'>

/** Returns the query for an owner's open jobs, for `readTogether`. */
export function openJobsRead(connection: DatabaseConnection, ownerId: string) {
  return {
    model: jobModel(connection),
    filter: { ownerId: toObjectId(ownerId), state: { $in: ['queued' as const, 'running' as const] } },
    projection: { recordingId: 1, state: 1 },
  } as const
}

/** Returns the states of recordings that have open jobs, by their ids. */
function toOpenStates(open: OpenJob[]): Map<string, number> {
  const states = new Map<string, number>()
  for (const { recordingId, state } of open) {
    const id = recordingId?.toHexString()
    const rank = state === 'running' ? stateRanks.running : stateRanks.waiting
    if (id) states.set(id, Math.min(rank, states.get(id) ?? rank))
  }
  return states
}

/** Derives the states and languages of a few recordings from their jobs. */
async function readEndedStates(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<Map<string, Pick<WithState, 'state' | 'languages'>>> {
  if (ids.length === 0) return new Map()
  const [found, jobs] = await Promise.all([
    recordingModel(connection)
      .find({ _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null }, { peaks: 0 })
      .lean<RecordingDocument[]>(),
    listJobsOfRecordings(openQueue(connection), ownerId, ids),
  ])
  const byRecording = Map.groupBy(jobs, ({ recordingId }) => recordingId)
  return new Map(
    found.map(toRecordingRecord).map((recording) => {
      const own = byRecording.get(recording.id) ?? []
      const { languages = [] } = currentTranscription(recording, own) ?? {}
      return [recording.id, { state: stateRanks[recordingState(own)], languages }]
    }),
  )
}
