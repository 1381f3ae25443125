import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { Quota } from '#data/recordings/quota.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import type { SessionWatch } from '../sessions/service.ts'
import type { JobFeed } from './job-feed.ts'

/** Dependencies of the job endpoints. */
export interface JobsDeps {
  queue: Queue
  feed: JobFeed
  quota: Quota
  audioStore: Pick<AudioStore, 'freeBytes'>
  sessions: SessionWatch
  /** Returns whether the account exists and is active. */
  isUserActive: (userId: string) => Promise<boolean>
  /** Wakes an engine; never rejects, because engines poll anyway. */
  notifyEngines: () => void
  /** Aborts when the server stops: event streams announce it and end. */
  shutdown: AbortSignal
}

/** Further dependencies of the job routes. */
export interface JobRoutesDeps extends JobsDeps {
  trail: Pick<RecordingTrail, 'record' | 'recordIds' | 'recordOpened'>
}
