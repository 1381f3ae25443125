import { z } from 'zod'
import { PossibleHit } from '#contract/possible-hits.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { jobModel } from './job-model.ts'

/** Returns the keywords that may have been spoken in an owner's transcription; null where none were searched for. */
export async function readPossibleHits(
  connection: DatabaseConnection,
  { ownerId, jobId }: { ownerId: string; jobId: string },
): Promise<PossibleHit[] | null> {
  const job = await jobModel(connection)
    .findOne({ _id: toObjectId(jobId), ownerId: toObjectId(ownerId) }, { possibleHits: 1 })
    .lean()
  return job?.possibleHits === undefined ? null : z.array(PossibleHit).parse(job.possibleHits)
}
