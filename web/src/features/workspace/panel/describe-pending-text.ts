import { t } from '#contract/texts/t.ts'
import type { Job } from '#contract/entities/job.ts'

/**
 * Returns the status of a text that does not exist yet. While the job runs, its first words are already on screen, which "Not yet" beside
 * them would contradict.
 */
export function describePendingText(job: Job | null, running: string): string {
  if (!job) return t('Not yet')
  return job.state === 'queued' ? t('Waiting') : running
}
