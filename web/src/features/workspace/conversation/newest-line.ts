import type { Job } from '#contract/entities/job.ts'
import type { ConversationLine } from './conversation-line.ts'

/** Returns the id of the line that a running transcription found last; null where none runs or nothing was found yet. */
export function newestLineIdOf(lines: readonly ConversationLine[], job: Job | undefined): string | null {
  const partial = job ? lines.filter(({ isPartial }) => isPartial) : []
  const latest = job?.progress?.latest_segment
  const newest = latest && partial.findLast((line) => line.start === latest.start && line.segment?.text === latest.text)
  return (newest ?? partial.at(-1))?.id ?? null
}
