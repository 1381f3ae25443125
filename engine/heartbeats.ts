import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import type { ModelWatch } from './jobs/watch-models.ts'
import type { EnginePresence } from './presence.ts'

interface HeartbeatOptions {
  activity: Activity
  presence: EnginePresence
  models: ModelWatch
  /** Requeues the jobs of engines that died. */
  reconcile: () => Promise<void>
  intervals: { heartbeatMs: number; restingHeartbeatMs: number; checkModelsMs: number }
  drain: AbortSignal
  log: Logger
}

/**
 * Records heartbeats, reconciles jobs and follows changes to the models until `drain` aborts; then `stopped` resolves. At rest, a heartbeat
 * is also recorded when other processes ask for one.
 */
export function startHeartbeats(options: HeartbeatOptions): { stopped: Promise<void> } {
  const { activity, presence, models, reconcile, intervals, drain, log } = options
  const warn = (err: unknown) => log.warn({ err }, 'the heartbeat failed')

  async function beat(isResting: boolean): Promise<void> {
    await presence.recordHeartbeat({ isResting })
    // No job runs at rest.
    if (!isResting) await reconcile()
  }

  async function run(): Promise<void> {
    while (!drain.aborted) {
      const isResting = !activity.isActive()
      await beat(isResting).catch(warn)
      // Returns at once if this has changed in the meantime.
      await activity.wait({
        activeMs: isResting ? 0 : intervals.heartbeatMs,
        restMs: isResting ? intervals.restingHeartbeatMs : 0,
        signal: drain,
      })
    }
  }

  /** Runs separately from heartbeats, which must not wait until a new model has been read from end to end. */
  async function checkModels(): Promise<void> {
    const before = models.current()
    try {
      // What this engine can do, and which jobs it can run, may have changed.
      if ((await models.refresh()) !== before) activity.wake()
    } catch (err) {
      log.warn({ err }, 'the models could not be checked')
    }
  }

  activity.onRollCall(() => {
    if (!drain.aborted) presence.answerRollCall().catch(warn)
  })
  const modelsTimer = setInterval(() => void checkModels(), intervals.checkModelsMs)
  return { stopped: run().finally(() => clearInterval(modelsTimer)) }
}
