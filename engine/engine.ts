import { join } from 'node:path'
import { Types, type Connection } from 'mongoose'
import type { Logger } from 'pino'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import type { Config } from '#data/config.ts'
import { openBell } from '#data/queue/bell.ts'
import { beat, signOff, takeBackFromDead } from '#data/queue/engines.ts'
import { openQueue } from '#data/queue/queue.ts'
import { createReconciler } from '#data/queue/reconcile.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { tidyAudio } from '#data/recordings/tidy.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { finishDeletions } from '#data/recordings/remove.ts'
import { loadEngineModels } from './jobs/engine-models.ts'
import { runJob } from './jobs/job-runner.ts'
import { keepModelsLoaded } from './jobs/loaded-models.ts'
import { ensureIndexes } from '#data/model.ts'
import { removeLeftovers } from './leftovers.ts'
import { findFfmpeg } from './audio/ffmpeg.ts'
import { availableThreads } from './threads.ts'
import { startWorker } from './worker.ts'

const minuteMs = 60_000
/** Signs of life, and looks for work whose engine died. */
const beatMs = 3_000

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
  const queue = openQueue(connection)
  recordingModel(connection)
  // An engine may be there before any server: leases and joined work stand on unique indexes.
  await ensureIndexes(connection)
  const audioStore = await openDiskStore(join(config.dataDir, 'audio'))
  const models = await loadEngineModels(config, log)
  await warnOfFfmpeg(log)

  const takenBack = await takeBackFromDead(queue)
  if (takenBack > 0) log.info({ takenBack }, 'took back work of an engine that died')
  await removeLeftovers(queue, tempDir)
  await beat(connection, id, models.features)

  const drain = new AbortController()
  const reconcile = createReconciler(queue)
  // The watch over others' leases begins now, not with the first sign of life.
  await reconcile()
  const threads = availableThreads(config.engineThreads)
  const loaded = keepModelsLoaded({ threads, idleMs: config.modelIdleMinutes * 60_000 })
  const tools = { queue, audioStore, models, loaded, tempDir, maxAudioMs: config.maxAudioMs, log }
  const run = (job: Parameters<typeof runJob>[1]) => loaded.during(() => runJob(tools, job, drain.signal))
  const worker = startWorker({ queue, engineId: id, run, drain: drain.signal, log })
  const pulse = setInterval(() => void live(), beatMs)
  const bell = openBell(connection, (err) => log.warn({ err }, 'the schedule failed'))
  await bell.listen(worker.wake, [
    { name: 'finish-deletions', everyMs: 10 * minuteMs, run: () => finishDeletions({ queue, audioStore }) },
    { name: 'remove-expired', everyMs: 60 * minuteMs, run: removeOld },
    { name: 'tidy-audio', everyMs: 12 * 60 * minuteMs, run: tidy },
  ])

  async function tidy() {
    const found = await tidyAudio({ connection, audioStore })
    if (found.orphans > 0) log.warn(found, 'audio files without a recording were put aside, into the folder orphans')
    if (found.missing > 0) log.error(found, 'recordings whose audio file is missing')
  }

  async function removeOld() {
    const removed = await removeExpired({ queue, audioStore }, config.retentionDays)
    if (removed.recordings + removed.texts > 0) log.info(removed, 'deleted what was older than RETENTION_DAYS')
  }

  async function live() {
    try {
      await beat(connection, id, models.features)
      const { requeued, failed } = await reconcile()
      if (requeued + failed > 0) log.warn({ requeued, failed }, 'brought back work that nobody held any more')
      if (requeued > 0) worker.wake()
    } catch (error) {
      log.warn({ err: error }, 'no sign of life could be given')
    }
  }

  async function stop() {
    drain.abort()
    clearInterval(pulse)
    await worker.stopped
    await loaded.close()
    await bell.close()
    await signOff(connection, id)
  }

  return { id, stop }
}
