import { jobModel, type JobDocument } from '../jobs/job-model.ts'
import { toBytes } from '../jobs/packed-json.ts'
import { unpackResult } from '../jobs/packed-result.ts'
import { summaryOf } from '../jobs/transcription-summary.ts'
import type { Migration } from './migration.ts'

/**
 * Transcriptions of earlier versions have no `summary`, which the list of versions needs to show them. A transcription whose result
 * cannot be read gets none, and appears in no list.
 */
export const summarizeTranscriptions: Migration = {
  name: 'summarize-transcriptions',
  dataVersion: 2,
  collection: 'jobs',
  filter: { kind: 'transcribe', state: 'done', summary: null },
  // Each document holds its result, which takes megabytes for hours of speech.
  pageSize: 50,
  documentsPerSecond: 100,
  async migrate(connection, ids) {
    const jobs = jobModel(connection)
    const updates = []
    for (const _id of ids) {
      const job = await jobs.findOne({ _id }, { result: 1 }).lean<Pick<JobDocument, 'result'>>()
      const result = job?.result ? await unpackResult('transcribe', toBytes(job.result)) : null
      const summary = result && summaryOf('transcribe', result)
      if (summary) updates.push({ updateOne: { filter: { _id, summary: null }, update: { $set: { summary } } } })
    }
    if (updates.length > 0) await jobs.bulkWrite(updates, { ordered: false })
  },
}
