import type { JobKind } from '#contract/entities/job.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { DatabaseConnection } from '../connect.ts'
import { jobModel, type JobDocument } from '../jobs/job-model.ts'

export interface JobFailures {
  kind: JobKind
  code: ErrorCode | null
  count: number
  /** When the last of them ended. */
  lastAt: Date | null
}

/** Counts the newest failed jobs, at most `limit`, by kind and error code. Their messages, which may name files, are not read. */
export async function countFailedJobs(connection: DatabaseConnection, limit: number): Promise<JobFailures[]> {
  const failed = await jobModel(connection)
    .find({ state: 'failed' }, { kind: 1, 'error.code': 1, finishedAt: 1 })
    .sort({ rank: -1, _id: -1 })
    .limit(limit)
    .lean<Pick<JobDocument, 'kind' | 'error' | 'finishedAt'>[]>()
  const groups = Map.groupBy(failed, ({ kind, error }) => `${kind} ${error?.code ?? ''}`)
  return [...groups.values()].flatMap((jobs) => {
    const [first] = jobs
    if (!first) return []
    const times = jobs.map(({ finishedAt }) => finishedAt?.getTime() ?? 0)
    const last = Math.max(...times)
    return [
      {
        kind: first.kind,
        code: first.error?.code ?? null,
        count: jobs.length,
        lastAt: last === 0 ? null : new Date(last),
      },
    ]
  })
}
