import { Types } from 'mongoose'
import {
  applyChanges,
  noText,
  ProgressHead,
  textOf,
  type PartialText,
  type TextChange,
} from '#contract/progress-text.ts'
import type { TranscriptionProgress } from '#contract/transcription.ts'
import type { TranslationProgress } from '#contract/translation.ts'
import { readDatabaseTime } from '../database-time.ts'
import { newId, toObjectId } from '../ids.ts'
import { diffText } from './diff-text.ts'
import type { JobRecord, TextPosition } from './job-record.ts'
import { writeProgress, type LeasedJob } from './lease.ts'
import { progressModel } from './progress-model.ts'
import type { Queue } from './queue.ts'

export type Progress = TranscriptionProgress | TranslationProgress
/** Stores the progress of a job. Resolves to false if the lease is lost. */
export type ProgressWriter = (progress: Progress) => Promise<boolean>

/**
 * Returns the writer of one attempt's progress. It stores only what changed since the last call: the text of a long recording takes
 * megabytes, and event streams send the same changes. A reader reads only as far as the job's document says, so changes are written
 * first.
 */
export function createProgressWriter(queue: Queue, job: LeasedJob): ProgressWriter {
  let written = noText
  let position: TextPosition = { id: newId(), sequence: 0 }
  let createdAt: Date | undefined

  async function writeChanges(progress: Progress): Promise<boolean> {
    const text = textOf(progress)
    const changes = diffText(written, text)
    createdAt ??= await readDatabaseTime(queue.connection)
    await saveChanges(queue, { jobId: job.id, position, createdAt }, changes)
    const next = { id: position.id, sequence: position.sequence + changes.length }
    const isHeld = await writeProgress(queue, job, ProgressHead.parse(progress), next)
    if (!isHeld) await removeTexts(queue, job.id, { only: position.id })
    else if (position.sequence === 0) await removeTexts(queue, job.id, { except: position.id })
    written = text
    position = next
    return isHeld
  }

  return async function write(progress) {
    try {
      return await writeChanges(progress)
    } catch (error) {
      // Part of the text may have been written and read: the next write begins a separate text.
      written = noText
      position = { id: newId(), sequence: 0 }
      throw error
    }
  }
}

/** Returns the text of a job so far; empty before there is any and after the job has ended. */
export async function readText(queue: Queue, job: Pick<JobRecord, 'id' | 'text'>): Promise<PartialText> {
  if (!job.text) return noText
  const changes = await readTextChanges(queue, { jobId: job.id, text: job.text, after: 0 })
  return applyChanges(noText, changes)
}

/** Returns the changes to a job's text after the first `after`, in order, at most `limit`. */
export async function readTextChanges(
  { connection }: Queue,
  { jobId, text, after, limit = 100_000 }: { jobId: string; text: TextPosition; after: number; limit?: number },
): Promise<TextChange[]> {
  const place = { jobId: toObjectId(jobId), textId: toObjectId(text.id) }
  const found = await progressModel(connection)
    .find({ ...place, sequence: { $gt: after, $lte: text.sequence } }, { change: 1, _id: 0 })
    .sort({ sequence: 1 })
    .limit(limit)
    .lean()
  return found.map(({ change }) => change)
}

async function saveChanges(
  queue: Queue,
  { jobId, position, createdAt }: { jobId: string; position: TextPosition; createdAt: Date },
  changes: TextChange[],
): Promise<void> {
  if (changes.length === 0) return
  const place = { jobId: toObjectId(jobId), textId: toObjectId(position.id) }
  await progressModel(queue.connection).insertMany(
    changes.map((change, index) => {
      const sequence = position.sequence + index + 1
      return { _id: new Types.ObjectId(), ...place, sequence, change, createdAt }
    }),
  )
}

/** Removes text written by an aborted attempt, or too late. */
async function removeTexts(queue: Queue, jobId: string, which: { only: string } | { except: string }): Promise<void> {
  const textId = 'only' in which ? toObjectId(which.only) : { $ne: toObjectId(which.except) }
  await progressModel(queue.connection).deleteMany({ jobId: toObjectId(jobId), textId })
}
