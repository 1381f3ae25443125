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
import { diffText } from './diff-text.ts'
import type { JobRecord, TextPosition } from './job-model.ts'
import { writeProgress, type LeasedJob } from './lease.ts'
import type { Queue } from './queue.ts'

export type Progress = TranscriptionProgress | TranslationProgress
/** Shows how far a job is. False when the lease is lost. */
export type ProgressWriter = (progress: Progress) => Promise<boolean>

/**
 * Writes the progress of one attempt. What is written each time is what changed since: the text of a long recording is megabytes, and
 * whoever follows it gets the same changes. A reader looks only as far as the job's own document says, so changes come first.
 */
export function createProgressWriter(queue: Queue, job: LeasedJob): ProgressWriter {
  let written = noText
  let position: TextPosition = { id: new Types.ObjectId(), sequence: 0 }
  let createdAt: Date | undefined

  async function writeChanges(progress: Progress): Promise<boolean> {
    const text = textOf(progress)
    const changes = diffText(written, text)
    createdAt ??= await readDatabaseTime(queue.connection)
    await saveChanges(queue, { jobId: job._id, position, createdAt }, changes)
    const next = { id: position.id, sequence: position.sequence + changes.length }
    const isHeld = await writeProgress(queue, job, ProgressHead.parse(progress), next)
    if (!isHeld) await removeTexts(queue, job._id, { only: position.id })
    else if (position.sequence === 0) await removeTexts(queue, job._id, { except: position.id })
    written = text
    position = next
    return isHeld
  }

  return async function write(progress) {
    try {
      return await writeChanges(progress)
    } catch (error) {
      // Nobody knows what of it was written and read: the next write begins a text of its own.
      written = noText
      position = { id: new Types.ObjectId(), sequence: 0 }
      throw error
    }
  }
}

/** The text of a job so far; empty before there is any and after the job ended. */
export async function readText(queue: Queue, job: Pick<JobRecord, '_id' | 'text'>): Promise<PartialText> {
  if (!job.text) return noText
  const changes = await readTextChanges(queue, { jobId: job._id, text: job.text, after: 0 })
  return applyChanges(noText, changes)
}

/** The changes of a job's text after the first `after`, in order, at most `limit`. */
export async function readTextChanges(
  queue: Queue,
  { jobId, text, after, limit = 100_000 }: { jobId: Types.ObjectId; text: TextPosition; after: number; limit?: number },
): Promise<TextChange[]> {
  const found = await queue.progress
    .find({ jobId, textId: text.id, sequence: { $gt: after, $lte: text.sequence } }, { change: 1, _id: 0 })
    .sort({ sequence: 1 })
    .limit(limit)
    .lean()
  return found.map(({ change }) => change)
}

async function saveChanges(
  queue: Queue,
  { jobId, position, createdAt }: { jobId: Types.ObjectId; position: TextPosition; createdAt: Date },
  changes: TextChange[],
): Promise<void> {
  if (changes.length === 0) return
  await queue.progress.insertMany(
    changes.map((change, index) => {
      const sequence = position.sequence + index + 1
      return { _id: new Types.ObjectId(), jobId, textId: position.id, sequence, change, createdAt }
    }),
  )
}

/** Removes what a broken-off attempt had written, or what came too late. */
async function removeTexts(
  queue: Queue,
  jobId: Types.ObjectId,
  which: { only: Types.ObjectId } | { except: Types.ObjectId },
): Promise<void> {
  await queue.progress.deleteMany({ jobId, textId: 'only' in which ? which.only : { $ne: which.except } })
}
