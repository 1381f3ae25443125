import { useJobNotices } from '../shared/events/job-notices.ts'
import { useFollowJobs } from '../shared/events/jobs.ts'

/** Follows the jobs of the signed-in user and tells when one has ended; renders nothing. */
export function FollowJobs({ userId }: { userId: string }) {
  useFollowJobs(userId)
  useJobNotices()
  return null
}
