import { useFollowJobs } from '../shared/events/jobs.ts'

/** Follows the jobs of the signed-in user; renders nothing. */
export function FollowJobs({ userId }: { userId: string }) {
  useFollowJobs(userId)
  return null
}
