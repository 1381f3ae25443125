import { join } from 'node:path'
import { Types, type Connection } from 'mongoose'
import type { Logger } from 'pino'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import type { Config } from '#data/config.ts'
import { openBell } from '#data/jobs/job-notifier.ts'
import { takeBackFromDead, unregister } from '#data/engines/engines.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { createReconciler } from '#data/jobs/reconcile.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { ensureIndexes } from '#data/model.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { createJobChoice } from './jobs/job-choice.ts'
import { runJob } from './jobs/job-runner.ts'
import { keepModelsLoaded } from './jobs/loaded-models.ts'
import { removeLeftovers } from './leftovers.ts'
import { createModelTools } from './model-operation-work.ts'
import { startModelOperations } from './model-operations.ts'
import { watchModels } from './jobs/watch-models.ts'
import { createPresence } from './presence.ts'
import { createSchedule } from './schedule.ts'
import { loadCatalog } from './models/catalog.ts'
import { availableThreads } from './threads.ts'
import { openRemoteSpeech } from './speech/remote/remote-speech.ts'
import { openRemoteTranslation } from './translation/remote/remote-translation.ts'
import { startWorker } from './worker.ts'

/** Signs of life, and looks for work whose engine died. */
const heartbeatMs = 3_000
/** Between two looks for work that no bell told of. With others at work a bell may have reached one that is busy. */
const restMs = { alone: 2_000, withOthers: 500 }

export interface Engine {
  id: string
  /** Gives the job at hand back, says goodbye and ends. */
  stop: () => Promise<void>
}

/** An old or a missing ffmpeg is told at start, not at the first recording. */
async function warnOfFfmpeg(log: Logger): Promise<void> {
  try {
    const { warning, version } = await findFfmpeg()
    if (warning) log.warn({ version }, warning)
  } catch (error) {
    log.error({ err: error }, 'no recording can be decoded')
  }
}

/** Starts an engine on a connected database: from then on it takes work. */
export async function startEngine(config: Config, connection: Connection, log: Logger): Promise<Engine> {
  const id = new Types.ObjectId().toHexString()
  const tempDir = join(config.dataDir, 'tmp')
  const audioDir = join(config.dataDir, 'audio')
  const queue = openQueue(connection)
  recordingModel(connection)
  // An engine may be there before any server: leases and joined work stand on unique indexes.
  await ensureIndexes(connection)
  const audioStore = await openDiskStore(audioDir)
  const models = await watchModels(config, log)
  await warnOfFfmpeg(log)
  for (const { message } of (await loadCatalog(config.modelsDir)).problems) log.warn(message)

  const takenBack = await takeBackFromDead(queue)
  if (takenBack > 0) log.info({ takenBack }, 'took back work of an engine that died')
  await removeLeftovers(queue, tempDir)
  const threads = availableThreads(config.engineThreads, config.engineProcesses)
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
  await presence.record()

  const drain = new AbortController()
  const reconcile = createReconciler(queue)
  // The watch over others' leases begins now, not with the first sign of life.
  await reconcile()
  const choice = createJobChoice({
    models: models.current,
    isLoaded: loaded.has,
    canReadRecordings: () => presence.problem() === null,
    allFeatures: presence.allFeatures,
  })
  const { modelsDir, maxAudioMs } = config
  const tools = { queue, audioStore, loaded, tempDir, modelsDir, maxAudioMs, log, refreshModels: models.refresh }
  const run = (job: Parameters<typeof runJob>[1]) => loaded.during(() => runJob(tools, job, drain.signal))
  const rest = () => (presence.hasPeers() ? restMs.withOthers : restMs.alone)
  const worker = startWorker({ queue, engineId: id, choice, run, drain: drain.signal, log, restMs: rest })
  const pulse = setInterval(() => void live(), heartbeatMs)
  const bell = openBell(connection, (err) => log.warn({ err }, 'the schedule failed'))
  // Deleting a recording deletes its file: an engine that does not see the files leaves that to others.
  const tasks = createSchedule({ queue, audioStore, retentionDays: config.retentionDays, log })
  await bell.listen(worker.wake, presence.problem() === null ? tasks : [])
  const operations = startModelOperations({
    connection,
    engineId: id,
    tools: createModelTools(config),
    onChanged: models.refresh,
    drain: drain.signal,
    log,
  })

  async function live() {
    try {
      // A new model that is read from end to end must not hold back signs of life: the next one tells of it.
      models.refresh().catch((err: unknown) => log.warn({ err }, 'the models could not be looked at'))
      await presence.record()
      const { requeued, failed } = await reconcile()
      if (requeued + failed === 0) return
      log.warn({ requeued, failed }, 'brought back work that nobody held any more')
      worker.wake()
      await removeLeftovers(queue, tempDir)
    } catch (error) {
      log.warn({ err: error }, 'no sign of life could be given')
    }
  }

  async function stop() {
    drain.abort()
    clearInterval(pulse)
    await Promise.all([worker.stopped, operations.stopped])
    await loaded.close()
    remote?.close()
    remoteTranslation?.close()
    await bell.close()
    await unregister(connection, id)
  }

  return { id, stop }
}
