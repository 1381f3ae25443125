import { useFollowJobs } from '../shared/events/jobs.ts'

/** Follows the work of whoever is signed in; shows nothing. */
export function FollowJobs({ userId }: { userId: string }) {
  useFollowJobs(userId)
  return null
}
