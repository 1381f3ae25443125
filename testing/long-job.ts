import { joinLines } from '#contract/progress-text.ts'
import type { Segment } from '#contract/transcription.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import { createProgressWriter } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { makeJob, takeJob } from './jobs.ts'

/** The text of each line of a call. */
const words = 'سلام زما ملګریه، نن ورځ ډېره ښه ده او موږ به سبا بیا سره وګورو'

export interface LongJob {
  job: LeasedJob
  /** Adds lines as a running engine does, in one progress write. */
  addLines: (lineCount: number) => Promise<void>
}

/**
 * Starts a transcription that has `lineCount` lines so far, by default a day of speech, written as an engine writes them; takes several
 * seconds. No other job may be waiting in the queue. The job stays running for `queue.limits.leaseMs`, because no engine renews its lease.
 */
export async function makeLongJob(
  queue: Queue,
  { ownerId, lineCount = 26_000 }: { ownerId: string; lineCount?: number },
): Promise<LongJob> {
  await makeJob(queue, { ownerId, params: { kind: 'transcribe', language: 'ps', channelLanguages: null, names: [] } })
  const job = await takeJob(queue)
  const write = createProgressWriter(queue, job)
  const lines: Segment[] = []

  async function addLines(count: number) {
    for (let added = 0; added < count; added += 1) lines.push(makeLine(lines.length))
    const isHeld = await write({
      current_segment: lines.length,
      total_segments: 100_000,
      detected_language: 'ps',
      language_probability: 0.9,
      latest_segment: lines.at(-1) ?? null,
      partial_text: joinLines(lines),
      partial_segments: [...lines],
    })
    if (!isHeld) throw new Error('The job lost its lease')
  }

  await addLines(lineCount)
  return { job, addLines }
}

function makeLine(index: number): Segment {
  const channel = index % 2
  return {
    start: index * 3,
    end: index * 3 + 2.5,
    text: `${words} ${index}`,
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    channel,
    confidence: 0.9,
  }
}
