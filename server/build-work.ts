import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import { openAudioProbe, probeLimits, type AudioProbe } from '#data/audio-probe/audio-probe.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { audioFolder, openAudioStore, type AudioStoreConfig } from '#data/audio-store/open-audio-store.ts'
import { markAudioStore } from '#data/audio-store/store-mark.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { cancelJobs } from '#data/jobs/cancel.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { openQuota } from '#data/recordings/quota.ts'
import { purgeRemovedOf, removeUserWork } from '#data/recordings/remove.ts'
import type { JobsDeps } from './features/jobs/deps.ts'
import { createJobFeed } from './features/jobs/job-feed.ts'
import { createUserTurns } from './security/user-turns.ts'

interface WorkOptions {
  config: AudioStoreConfig & Pick<Config, 'quotaBytes' | 'trashMs' | 'maxAudioMs' | 'maxUploadBytes' | 'uploadExpiryMs'>
  connection: DatabaseConnection
  activity: Activity
  sessions: JobsDeps['sessions']
  isUserActive: JobsDeps['isUserActive']
  /** Defaults to a probe that measures each upload. */
  probe?: AudioProbe | undefined
  log: Logger
}

/** The dependencies of recordings, audio and jobs: opened once at startup and closed once at shutdown. */
export interface Work extends JobsDeps {
  connection: DatabaseConnection
  audioStore: AudioStore
  probe: AudioProbe
  /** The maximum size of a recording. */
  maxUploadBytes: number
  /** How long an unfinished upload is kept without receiving more bytes. */
  uploadExpiryMs: number
  /** How long deleted recordings can be restored. */
  trashMs: number
  /** Cancels the open jobs of a user. */
  cancelUserJobs: (userId: string) => Promise<void>
  /** Deletes all recordings, texts and jobs of a user. */
  removeUserWork: (userId: string) => Promise<void>
  /** Ends event streams. Called on shutdown, before the server waits for its connections to close. */
  endStreams: () => void
  close: () => Promise<void>
}

/** Builds the services for recordings and jobs. */
export async function buildWork(options: WorkOptions): Promise<Work> {
  const { config, connection, activity, sessions, isUserActive, log } = options
  const queue = openQueue(connection)
  const audioStore = await openAudioStore(config, connection)
  await markAudioStore(connection, config.audioStore === 'folder' ? audioFolder(config) : undefined, (err) =>
    log.warn({ err }, 'the folder of recordings cannot be marked'),
  )
  const feed = createJobFeed({ queue, activity, onError: (err) => log.warn({ err }, 'changes could not be read') })
  const shutdown = new AbortController()
  return {
    connection,
    queue,
    audioStore,
    feed,
    sessions,
    isUserActive,
    maxUploadBytes: config.maxUploadBytes,
    uploadExpiryMs: config.uploadExpiryMs,
    trashMs: config.trashMs,
    probe:
      options.probe ?? openAudioProbe({ maxDurationMs: config.maxAudioMs, takeTurn: createUserTurns(probeLimits) }),
    quota: openQuota({
      connection,
      quotaBytes: config.quotaBytes,
      purgeRemoved: (ownerId, bytes) => purgeRemovedOf({ queue, audioStore }, ownerId, bytes),
    }),
    notifyEngines: activity.wakeAll,
    shutdown: shutdown.signal,
    cancelUserJobs: (userId) => cancelJobs(queue, userId),
    removeUserWork: (userId) => removeUserWork({ queue, audioStore }, userId),
    endStreams: () => shutdown.abort(),
    async close() {
      shutdown.abort()
      feed.close()
    },
  }
}
