import { join } from 'node:path'
import type { Logger } from 'pino'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { reclaimFromDeadEngines, unregisterEngine } from '#data/engines/engines.ts'
import { newId } from '#data/ids.ts'
import { openJobNotifier } from '#data/jobs/job-notifier.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createReconciler } from '#data/jobs/reconcile.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { makeModelsFolder } from '#data/models-folder.ts'
import { prepareData } from '#data/prepare-data.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { createJobChoice } from './jobs/job-choice.ts'
import { runJob } from './jobs/job-runner.ts'
import { keepModelsLoaded } from './jobs/loaded-models.ts'
import { removeLeftovers } from './leftovers.ts'
import { followChanges } from './library/follow-changes.ts'
import { createCheckedLibrary } from './library/library.ts'
import { createModelOperationExecutor } from './model-operations/execute-operation.ts'
import { startModelOperations } from './model-operations/start-model-operations.ts'
import { watchModels } from './jobs/watch-models.ts'
import { recordCounts } from './jobs/work-counts.ts'
import { createPresence } from './presence.ts'
import { createSchedule } from './schedule.ts'
import { loadCatalog } from './models/catalog.ts'
import { availableThreads } from './threads.ts'
import { openRemoteSpeech } from './speech/remote/remote-speech.ts'
import { openRemoteTranslation } from './translation/remote/remote-translation.ts'
import { startWorker } from './worker.ts'

export interface EngineIntervals {
  /** Interval of heartbeats and of checks for jobs whose engine died. Default 3 s. */
  heartbeatMs: number
  /** Interval of polls for jobs while this is the only engine. Default 2 s. */
  pollMs: number
  /** The same with other engines running, when a notification may have reached one that is busy. Default 0.5 s. */
  pollWithOthersMs: number
  /** Interval of polls for model operations. Default 1 s. */
  pollOperationsMs: number
  /** Interval of checks whether the running model operation was cancelled. Default 1 s. */
  checkOperationMs: number
}

const defaultIntervals: EngineIntervals = {
  heartbeatMs: 3_000,
  pollMs: 2_000,
  pollWithOthersMs: 500,
  pollOperationsMs: 1_000,
  checkOperationMs: 1_000,
}

export interface EngineOptions {
  config: Config
  connection: DatabaseConnection
  log: Logger
  intervals?: EngineIntervals
}

export interface Engine {
  id: string
  /** Returns the current job to the queue, unregisters and ends. */
  stop: () => Promise<void>
}

/** Logs an outdated or missing ffmpeg at start instead of at the first recording. */
async function checkFfmpeg(log: Logger): Promise<void> {
  try {
    const { warning, version } = await findFfmpeg()
    if (warning) log.warn({ version }, warning)
  } catch (error) {
    log.error({ err: error }, 'no recording can be decoded')
  }
}

async function prepare({ connection, config, log }: EngineOptions): Promise<void> {
  await prepareData({ connection, config, log })
  // An engine may start before any server: leases and joining equal jobs rely on unique indexes.
  await ensureIndexes(connection)
  await makeModelsFolder(config.modelsDir)
  await recordCounts(connection, [{ name: 'engine_starts', labels: {}, by: 1 }], log)
}

/** Starts an engine on a connected database; it claims jobs from then on. Throws `NewerDataError` where newer code has written to it. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { config, connection, log, intervals = defaultIntervals } = options
  const id = newId()
  const tempDir = join(config.dataDir, 'tmp')
  const audioDir = join(config.dataDir, 'audio')
  const queue = openQueue(connection)
  await prepare(options)
  const audioStore = await openDiskStore(audioDir)
  const models = await watchModels(config, log)
  await checkFfmpeg(log)
  for (const { message } of (await loadCatalog(config.modelsDir)).problems) log.warn(message)

  const onReclaimed = (jobId: string) =>
    log.warn({ jobId }, 'reclaimed a job: its engine died or did not renew the lease')
  await reclaimFromDeadEngines(queue, onReclaimed)
  await removeLeftovers(queue, tempDir)
  const threads = availableThreads(config.engineThreads, config.engineProcesses)
  const { speechServers, translationServers, modelsDir, maxAudioMs } = config
  const remote = speechServers && openRemoteSpeech({ settings: speechServers, log })
  const remoteTranslation = translationServers && openRemoteTranslation({ settings: translationServers, log })
  const loaded = keepModelsLoaded({
    threads,
    remote,
    remoteTranslation,
    translationGpu: config.translationGpu,
    onWarning: (sentence) => log.warn(sentence),
    idleMs: config.modelIdleMinutes * 60_000,
    modelsDir: config.modelsDir,
  })
  const presence = createPresence({
    connection,
    engineId: id,
    features: () => models.current().features,
    threads,
    loaded,
    describeServers: () => ({
      speech_servers: remote?.describe() ?? [],
      translation_servers: remoteTranslation?.describe() ?? [],
    }),
    audioDir,
    log,
  })
  await presence.recordHeartbeat()

  const drain = new AbortController()
  const reconcile = createReconciler(queue, onReclaimed)
  // Other engines' leases are observed from now on, not from the first heartbeat.
  await reconcile()
  const choice = createJobChoice({
    models: models.current,
    isLoaded: loaded.has,
    canReadRecordings: () => presence.problem() === null,
    allFeatures: presence.allFeatures,
  })
  const context = { queue, audioStore, loaded, tempDir, modelsDir, maxAudioMs, log, refreshModels: models.refresh }
  const worker = startWorker({
    queue,
    engineId: id,
    choice,
    run: (job) => loaded.during(() => runJob(context, job, drain.signal)),
    drain: drain.signal,
    log,
    pollIntervalMs: () => (presence.hasPeers() ? intervals.pollWithOthersMs : intervals.pollMs),
  })
  const heartbeatTimer = setInterval(() => void heartbeat(), intervals.heartbeatMs)
  const notifier = openJobNotifier(connection, (err) => log.warn({ err }, 'the schedule failed'))
  // Deleting a recording deletes its file: an engine without access to the files leaves that to others.
  const tasks = createSchedule({ queue, audioStore, retentionDays: config.retentionDays, log })
  await notifier.listen(worker.wake, presence.problem() === null ? tasks : [])
  const operations = startModelOperations({
    connection,
    engineId: id,
    executor: createModelOperationExecutor(config),
    onChanged: models.refresh,
    pollMs: intervals.pollOperationsMs,
    checkMs: intervals.checkOperationMs,
    drain: drain.signal,
    log,
  })

  const library = followChanges({ queue, holder: id, ...createCheckedLibrary(queue, log), drain: drain.signal, log })

  async function heartbeat() {
    try {
      // Not awaited: reading a new model from end to end must not delay heartbeats; the next one reports it.
      models.refresh().catch((err: unknown) => log.warn({ err }, 'the models could not be checked'))
      await presence.recordHeartbeat()
      const { requeued, failed } = await reconcile()
      if (requeued + failed === 0) return
      worker.wake()
      await removeLeftovers(queue, tempDir)
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat failed')
    }
  }

  async function stop() {
    drain.abort()
    clearInterval(heartbeatTimer)
    await Promise.all([worker.stopped, operations.stopped, library.stopped])
    await loaded.close()
    remote?.close()
    remoteTranslation?.close()
    await notifier.close()
    await unregisterEngine(connection, id)
  }

  return { id, stop }
}
