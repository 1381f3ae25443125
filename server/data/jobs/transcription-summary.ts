import { z } from 'zod'
import { Provenance } from '#contract/provenance.ts'
import type { JobKind } from '#contract/entities/job.ts'
import { toObjectId } from '../ids.ts'
import { jobModel } from './job-model.ts'
import type { Queue } from './queue.ts'

/** What a list of transcriptions shows of one, without its text. */
const TranscriptionSummary = z.object({
  lineCount: z.number(),
  wordCount: z.number(),
  model: z.string(),
  provenance: Provenance,
})
export type TranscriptionSummary = z.infer<typeof TranscriptionSummary>

/** The parts of a result that are counted. */
const Counted = z.object({
  segments: z.array(z.object({ text: z.string() })),
  model: z.string(),
  provenance: Provenance.optional(),
})

/** Returns the summary to store with the result of a job; undefined where it is not a transcription. */
export function summaryOf(kind: JobKind, result: object): TranscriptionSummary | undefined {
  const counted = kind === 'transcribe' ? Counted.safeParse(result).data : undefined
  if (!counted) return undefined
  const { segments, model, provenance = null } = counted
  const wordCount = segments.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0)
  return { lineCount: segments.length, wordCount, model, provenance }
}

/** Returns the summaries of an owner's finished transcriptions by id; those whose result could not be read have none. */
export async function readSummaries(
  queue: Queue,
  ownerId: string,
  ids: string[],
): Promise<Map<string, TranscriptionSummary>> {
  const stored = await jobModel(queue.connection)
    .find({ _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId) }, { summary: 1 })
    .lean()
  const summaries = new Map<string, TranscriptionSummary>()
  for (const { _id, summary } of stored) {
    const found = TranscriptionSummary.safeParse(summary).data
    if (found) summaries.set(_id.toHexString(), found)
  }
  return summaries
}
