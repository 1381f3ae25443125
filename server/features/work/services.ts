import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { AudioProbe } from '#data/audio-probe/audio-probe.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { Quota } from '#data/recordings/quota.ts'
import type { JobFeed } from '../jobs/feed.ts'

/** What event streams and uploads need of sessions. */
export interface SessionWatch {
  /** Whether the session still stands in the database: another server may have ended it. */
  isLive(userId: string, sessionId: string): Promise<boolean>
  /** Calls back at once when this process ends the session. Answers how to stop. */
  onEnded(userId: string, sessionId: string, listener: () => void): () => void
}

/** What the features of recordings and jobs are built on. */
export interface WorkServices {
  connection: Connection
  queue: Queue
  audioStore: AudioStore
  probe: AudioProbe
  feed: JobFeed
  /** Wakes an engine; never fails, for engines look by themselves too. */
  ring: () => Promise<void>
  quota: Quota
  sessions: SessionWatch
  log: Logger
}
