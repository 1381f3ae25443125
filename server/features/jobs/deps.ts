import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { Quota } from '#data/recordings/quota.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import type { SessionWatch } from '../sessions/service.ts'
import type { JobFeed } from './job-feed.ts'

/** What the endpoints of jobs are built on. */
export interface JobsDeps {
  queue: Queue
  feed: JobFeed
  quota: Quota
  audioStore: Pick<AudioStore, 'freeBytes'>
  sessions: SessionWatch
  /** Returns whether the account exists and is active. */
  isUserActive: (userId: string) => Promise<boolean>
  /** Wakes an engine; never rejects, for engines poll too. */
  notifyEngines: () => void
  /** Aborts when the server stops: event streams say so and end. */
  shutdown: AbortSignal
}

/** What the routes of jobs need beside. */
export interface JobRoutesDeps extends JobsDeps {
  trail: Pick<RecordingTrail, 'record' | 'recordIds' | 'recordOpened'>
}
