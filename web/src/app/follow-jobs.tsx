import { useAlertNotices } from '../features/alerts/use-alert-notices.ts'
import { useBatchNotices } from '../shared/batches/batch-notices.ts'
import { useJobNotices } from '../shared/events/job-notices.ts'
import { useFollowJobs } from '../shared/events/jobs.ts'

/** Follows the signed-in user's jobs and announces when a job or a batch has ended and when there are new alerts; renders nothing. */
export function FollowJobs({ userId }: { userId: string }) {
  useFollowJobs(userId)
  useJobNotices()
  useBatchNotices()
  useAlertNotices()
  return null
}
