import { t } from '#contract/texts/t.ts'
import type { Job } from '#contract/entities/job.ts'

/**
 * Returns what becomes of a text that is not there yet. Its first words are on screen while the job runs: "Not yet" beside them would
 * contradict them.
 */
export function describePendingText(job: Job | null, running: string): string {
  if (!job) return t('Not yet')
  return job.state === 'queued' ? t('Waiting') : running
}
