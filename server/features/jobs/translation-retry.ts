import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { applyLineEdits, noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import { findTranslations } from '#contract/match-translation.ts'
import type { Segment } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { findActiveJob, findFinishedJob } from '#data/jobs/enqueue.ts'
import { JobParams, type TranslationRetry } from '#data/jobs/job-params.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { findLineEdits } from '#data/line-edits/line-edits.ts'

type WantedRetry = z.infer<typeof api.audio.translateSpeakers.body>['retry']

type Times = Pick<Segment, 'start' | 'end'>

/** A translation identified by its work key; `transcriptionId` is null for a text supplied by the caller. */
interface TranslationWork {
  ownerId: string
  workKey: string
  transcriptionId: string | null
}

interface RetryChoice {
  /** Null: everything is translated, or the last translation is complete. */
  retry: TranslationRetry | null
  /** Whether an open job is cancelled because the new one covers its work as well. */
  startsOver: boolean
}

/**
 * Returns what a request adds to the last translation: without `wanted`, the lines edited since; with `isForced`, everything. The work of
 * an open job is added, so that nobody loses what they requested a moment ago. Throws `not_found` if there is no translation to complete,
 * or no line at the given times.
 */
export async function chooseRetry(
  queue: Queue,
  work: TranslationWork,
  { isForced, wanted }: { isForced: boolean; wanted: WantedRetry },
): Promise<RetryChoice> {
  const last = await readLast(queue, work)
  if (!last) {
    if (wanted) throw new AppError('not_found', 'Translation not found')
    return { retry: null, startsOver: isForced }
  }
  if (isForced && !wanted) return { retry: null, startsOver: true }
  const edited = await readEditedLines(queue, work)
  const { revision } = edited.edits
  const retry = {
    jobId: last.jobId,
    lines: [],
    includesFailed: wanted === 'failed',
    includesChanged: !wanted,
    revision,
  }
  if (!wanted && (revision === 0 || isComplete(last.result, edited.lines))) return { retry: null, startsOver: false }
  if (!wanted || wanted === 'failed') return addToOpenJob(queue, work, retry)
  const lines = edited.lines ?? linesOf(last.result)
  if (!lines.some((line) => areSameTimes(line, wanted)))
    throw new AppError('not_found', 'The translation has no line of these times')
  return addToOpenJob(queue, work, { ...retry, lines: [wanted] })
}

/** Returns the current lines of the transcription, with its edits; null for a text supplied by the caller. */
async function readEditedLines(
  queue: Queue,
  { ownerId, transcriptionId }: TranslationWork,
): Promise<{ edits: LineEdits; lines: Segment[] | null }> {
  if (!transcriptionId) return { edits: noLineEdits, lines: null }
  const edits = await findLineEdits(queue.connection, ownerId, transcriptionId)
  const written = await readResult(queue, ownerId, transcriptionId, 'transcribe')
  return { edits, lines: written && applyLineEdits(written, edits).segments }
}

async function readLast(
  queue: Queue,
  { ownerId, workKey }: TranslationWork,
): Promise<{ jobId: string; result: TranslationResult } | null> {
  const last = await findFinishedJob(queue, ownerId, workKey)
  const result = last && (await readResult(queue, ownerId, last.id, 'translate'))
  return result && { jobId: last.id, result }
}

function linesOf({ segments, speaker_translations }: TranslationResult) {
  return [...segments, ...speaker_translations.flatMap((speaker) => speaker.segments)]
}

/** Returns whether a translation covers every line in its current form; a line that could not be translated counts as covered. */
function isComplete(translation: TranslationResult, lines: Segment[] | null): boolean {
  return findTranslations(lines ?? [], translation).every(({ exact }) => exact !== undefined)
}

/**
 * Joins an open job that translates everything, or the same. What any other open job translates again is added to the new job, which
 * replaces it: the replaced job may have read lines that have been edited since.
 */
async function addToOpenJob(queue: Queue, work: TranslationWork, retry: TranslationRetry): Promise<RetryChoice> {
  const open = await findActiveJob(queue, work.ownerId, work.workKey)
  const other = open && retryOf(open)
  if (!other) return { retry, startsOver: false }
  const added = retry.lines.filter((line) => !other.lines.some((known) => areSameTimes(known, line)))
  const both = {
    ...retry,
    lines: [...other.lines, ...added],
    includesFailed: other.includesFailed || retry.includesFailed,
    includesChanged: other.includesChanged || retry.includesChanged,
  }
  return { retry: both, startsOver: !isDeepStrictEqual(both, other) }
}

function areSameTimes(a: Times, b: Times): boolean {
  return a.start === b.start && a.end === b.end
}

function retryOf({ params }: JobRecord): TranslationRetry | null {
  const { data } = JobParams.safeParse(params)
  return data?.kind === 'translate' ? data.retry : null
}
