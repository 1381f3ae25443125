import { join } from 'node:path'
import type { Logger } from 'pino'
import { watchActivity, type Activity, type ActivityIntervals } from '#data/activity.ts'
import { audioFolder, openAudioStore } from '#data/audio-store/open-audio-store.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { reclaimFromDeadEngines, unregisterEngine } from '#data/engines/engines.ts'
import { newId } from '#data/ids.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createReconciler } from '#data/jobs/reconcile.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { makeModelsFolder } from '#data/models-folder.ts'
import { prepareData } from '#data/prepare-data.ts'
import { findRevision } from '#data/revision.ts'
import { version } from '#data/version.ts'
import { readComponentVersions } from './component-versions.ts'
import { createJobChoice } from './jobs/job-choice.ts'
import { runJob } from './jobs/job-runner.ts'
import { keepModelsLoaded } from './jobs/loaded-models.ts'
import { startHeartbeats } from './heartbeats.ts'
import { removeLeftovers } from './leftovers.ts'
import { followChanges } from './library/follow-changes.ts'
import { createCheckedLibrary } from './library/library.ts'
import { createModelOperationExecutor } from './model-operations/execute-operation.ts'
import { startModelOperations } from './model-operations/start-model-operations.ts'
import { watchModels } from './jobs/watch-models.ts'
import { recordCounts } from './jobs/work-counts.ts'
import { createPresence } from './presence.ts'
import { createSchedule } from './schedule.ts'
import { startSchedule } from './schedule-runner.ts'
import { loadCatalog } from './models/catalog.ts'
import { availableThreads } from './threads.ts'
import { openRemoteSpeech } from './speech/remote/remote-speech.ts'
import { openRemoteTranslation } from './translation/remote/remote-translation.ts'
import { startWorker } from './worker.ts'

export interface EngineIntervals {
  /** Interval of heartbeats and of checks for jobs whose engine died. Default 3 s. */
  heartbeatMs: number
  /** `heartbeatMs` for an engine at rest. Default 1 min. */
  restingHeartbeatMs: number
  /** Interval of checks for changed model files. Default 3 s. */
  checkModelsMs: number
  /** Interval of polls for jobs while there is activity. Default 0.5 s. */
  pollMs: number
  /** Interval of polls for model operations. Default 1 s. */
  pollOperationsMs: number
  /** Interval of checks for cancellation of the running model operation. Default 1 s. */
  checkOperationMs: number
  /** Intervals of the engine's own `activity`, if none is given. */
  activity?: ActivityIntervals
}

const defaultIntervals: EngineIntervals = {
  heartbeatMs: 3_000,
  restingHeartbeatMs: 60_000,
  checkModelsMs: 3_000,
  pollMs: 500,
  pollOperationsMs: 1_000,
  checkOperationMs: 1_000,
}

export interface EngineOptions {
  config: Config
  connection: DatabaseConnection
  log: Logger
  intervals?: EngineIntervals
  /** The activity of this process; closed by the caller. By default the engine creates its own. */
  activity?: Activity
}

export interface Engine {
  id: string
  /** Returns the current job to the queue, unregisters and stops. */
  stop: () => Promise<void>
}

async function prepare({ connection, config, log }: EngineOptions): Promise<void> {
  await prepareData({ connection, config, log })
  // An engine may start before any server, and leases and the merging of identical jobs rely on unique indexes.
  await ensureIndexes(connection)
  await makeModelsFolder(config.modelsDir)
  await recordCounts(connection, [{ name: 'engine_starts', labels: {}, by: 1 }], log)
}

/** Opens the backends of models: the configured servers, and the model that stays loaded. */
function openBackends(config: Config, threads: number, log: Logger) {
  const { speechServers, translationServers } = config
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
  return {
    loaded,
    describeServers: () => ({
      speech_servers: remote?.describe() ?? [],
      translation_servers: remoteTranslation?.describe() ?? [],
    }),
    async close() {
      await loaded.close()
      remote?.close()
      remoteTranslation?.close()
    },
  }
}

/** Starts an engine on a connected database; it then claims jobs. Throws `NewerDataError` if newer code has written to the database. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { config, connection, log, intervals = defaultIntervals } = options
  const id = newId()
  const tempDir = join(config.dataDir, 'tmp')
  const queue = openQueue(connection)
  await prepare(options)
  const activity =
    options.activity ?? watchActivity(connection, intervals.activity && { intervals: intervals.activity })
  // Other engines then record a heartbeat, and the one that follows changes continues.
  await activity.announce()
  const audioStore = await openAudioStore(config, connection)
  const models = await watchModels(config, log)
  const software = { version, revision: await findRevision(), components: await readComponentVersions(log) }
  for (const { message } of (await loadCatalog(config.modelsDir)).problems) log.warn(message)

  const onReclaimed = (jobId: string) =>
    log.warn({ jobId }, 'reclaimed a job: its engine died or did not renew the lease')
  await reclaimFromDeadEngines(queue, onReclaimed)
  await removeLeftovers(queue, tempDir)
  const threads = availableThreads(config.engineThreads, config.engineProcesses)
  const backends = openBackends(config, threads, log)
  const { loaded } = backends
  const presence = createPresence({
    connection,
    engineId: id,
    features: () => models.current().features,
    software,
    threads,
    rollCall: activity.rollCall,
    loaded,
    describeServers: backends.describeServers,
    audioDir: audioFolder(config),
    log,
  })
  await presence.recordHeartbeat({ isResting: false })

  const drain = new AbortController()
  const loop = { activity, drain: drain.signal, log }
  const reconcile = createReconciler(queue, onReclaimed, activity.keepActive)
  // Observe other engines' leases from now on, not from the first heartbeat.
  await reconcile()
  const choice = createJobChoice({
    models: models.current,
    isLoaded: loaded.has,
    canReadRecordings: () => presence.problem() === null,
    allFeatures: presence.allFeatures,
  })
  const { modelsDir, maxAudioMs } = config
  const context = { queue, audioStore, loaded, tempDir, modelsDir, maxAudioMs, log, refreshModels: models.refresh }
  const worker = startWorker({
    queue,
    engineId: id,
    choice,
    run: (job) => loaded.during(() => runJob(context, job, drain.signal)),
    ...loop,
    pollIntervalMs: intervals.pollMs,
  })
  const heartbeats = startHeartbeats({
    presence,
    models,
    async reconcile() {
      const { requeued, failed } = await reconcile()
      if (requeued + failed === 0) return
      activity.wake()
      await removeLeftovers(queue, tempDir)
    },
    intervals,
    ...loop,
  })
  // Deleting a recording deletes its file: an engine without access to the files leaves this to other engines.
  const tasks = createSchedule({ queue, audioStore, retentionDays: config.retentionDays, log })
  const schedule = startSchedule({
    connection,
    holder: id,
    tasks: presence.problem() === null ? tasks : [],
    ...loop,
  })
  const operations = startModelOperations({
    connection,
    engineId: id,
    executor: createModelOperationExecutor(config),
    onChanged: models.refresh,
    pollMs: intervals.pollOperationsMs,
    checkMs: intervals.checkOperationMs,
    ...loop,
  })

  const library = followChanges({
    queue,
    holder: id,
    ...createCheckedLibrary(queue, log),
    ...loop,
  })

  async function stop() {
    drain.abort()
    await Promise.all([worker.stopped, operations.stopped, library.stopped, schedule.stopped, heartbeats.stopped])
    if (!options.activity) activity.close()
    await backends.close()
    await unregisterEngine(connection, id)
  }

  return { id, stop }
}
