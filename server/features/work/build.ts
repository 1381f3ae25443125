import { join } from 'node:path'
import { Types, type Connection } from 'mongoose'
import type { Logger } from 'pino'
import { openAudioProbe } from '#data/audio-probe/audio-probe.ts'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { markAudioStore } from '#data/audio-store/store-mark.ts'
import { sessionModel } from '#data/sessions/session-model.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import { openBell } from '#data/jobs/job-notifier.ts'
import { openQueue, type QueueLimits } from '#data/jobs/queue.ts'
import { openQuota } from '#data/recordings/quota.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { removeUserWork } from '#data/recordings/remove.ts'
import { createJobFeed } from '../jobs/feed.ts'
import type { Sessions } from '../sessions/service.ts'
import type { SessionWatch, WorkServices } from './services.ts'

interface WorkOptions {
  config: Pick<Config, 'dataDir' | 'quotaBytes' | 'maxAudioMs'>
  /** Up: the bell needs its database. */
  connection: Connection
  clock: Clock
  sessions: Pick<Sessions, 'events'>
  log: Logger
  limits?: Partial<QueueLimits>
}

/** What recordings and jobs need beyond their routes: built once at start, closed once at the end. */
export interface Work extends WorkServices {
  /** Aborts when the server stops: event streams say so and end. */
  shutdown: AbortSignal
  /** Deletes everything a user uploaded and got. */
  removeUser: (userId: string) => Promise<void>
  /** Ends event streams: part of stopping, before the server waits for its connections. */
  endStreams: () => void
  close: () => Promise<void>
}

/** Builds the services of recordings and jobs; their models are registered before `ensureIndexes` runs. */
export async function buildWork({ config, connection, clock, sessions, log, limits }: WorkOptions): Promise<Work> {
  const queue = openQueue(connection, limits)
  recordingModel(connection)
  const audioDir = join(config.dataDir, 'audio')
  const audioStore = await openDiskStore(audioDir)
  await markAudioStore(connection, audioDir, (err) => log.warn({ err }, 'the folder of recordings cannot be marked'))
  const bell = openBell(connection, (error) => log.warn({ err: error }, 'the schedule failed'))
  const feed = createJobFeed({ queue, onError: (err) => log.warn({ err }, 'changes could not be read') })
  const shutdown = new AbortController()
  return {
    connection,
    queue,
    audioStore,
    probe: openAudioProbe({ maxDurationMs: config.maxAudioMs }),
    feed,
    ring: () => bell.ring().catch((err: unknown) => log.warn({ err }, 'no engine was woken')),
    quota: openQuota({ connection, quotaBytes: config.quotaBytes }),
    sessions: watchSessions(connection, clock, sessions),
    log,
    shutdown: shutdown.signal,
    removeUser: (userId) => removeUserWork({ queue, audioStore }, Types.ObjectId.createFromHexString(userId)),
    endStreams: () => shutdown.abort(),
    async close() {
      shutdown.abort()
      feed.close()
      await bell.close()
    },
  }
}

function watchSessions(connection: Connection, clock: Clock, { events }: Pick<Sessions, 'events'>): SessionWatch {
  return {
    async isLive(userId, sessionId) {
      const now = new Date(clock.now())
      const found = await sessionModel(connection).exists({
        _id: Types.ObjectId.createFromHexString(sessionId),
        userId: Types.ObjectId.createFromHexString(userId),
        expiresAt: { $gt: now },
        idleExpiresAt: { $gt: now },
      })
      return found !== null
    },
    onEnded(userId, sessionId, listener) {
      const hear = (ended: { userId: string; sessionId?: string; exceptSessionId?: string | undefined }) => {
        if (ended.userId !== userId || ended.exceptSessionId === sessionId) return
        if (ended.sessionId === undefined || ended.sessionId === sessionId) listener()
      }
      events.on('ended', hear)
      return () => events.off('ended', hear)
    },
  }
}
