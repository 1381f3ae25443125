import { isSameBuild } from '#contract/same-build.ts'
import { findLiveEngines, type EngineRecord } from '#data/engines/engines.ts'
import { countJobOutcomes, readQueueState, type JobOutcomes, type QueueState } from '#data/health/queue-health.ts'
import { findSilentEngines } from '#data/health/silent-engines.ts'
import { listRunningJobs } from '#data/jobs/queue-status.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findRevision } from '#data/revision.ts'
import { version } from '#data/version.ts'
import { statusOf } from '../system-status.ts'
import { keepFor } from './keep-for.ts'

/** The state of the queue and the engines, from the database: every server reads the same. */
export interface WorkFacts {
  /** Duration of one small query. */
  databaseResponseMs: number
  running: number
  queue: QueueState
  outcomes: JobOutcomes
  engines: EngineRecord[]
  /** Engines that are running but cannot work, for example because they cannot reach the folder of recordings. */
  unableEngines: number
  /** Engines that hang, or that ended within the last day without announcing it. */
  silentEngines: number
  /** Hosts whose engines run a different version of Awaz than this server, sorted. */
  otherVersionHosts: string[]
}

/** Reading the outcomes goes through every job of the last day. */
const outcomesMaxAgeMs = 30_000

/** Returns a function that reads the facts. */
export function createWorkFacts(queue: Queue): () => Promise<WorkFacts> {
  const { connection } = queue
  const readOutcomes = keepFor(outcomesMaxAgeMs, () => countJobOutcomes(connection))
  return async () => {
    const startedAt = performance.now()
    const running = await listRunningJobs(queue)
    const databaseResponseMs = performance.now() - startedAt
    const [queueState, outcomes, engines, silent, revision] = await Promise.all([
      readQueueState(connection),
      readOutcomes(),
      findLiveEngines(connection),
      findSilentEngines(connection),
      findRevision(),
    ])
    const isOther = (engine: EngineRecord) => {
      const { version: other = null, revision: otherRevision = null } = statusOf(engine) ?? {}
      return !isSameBuild({ version, revision }, { version: other, revision: otherRevision })
    }
    return {
      databaseResponseMs,
      running: running.length,
      queue: queueState,
      outcomes,
      engines,
      unableEngines: engines.filter((engine) => statusOf(engine)?.problem).length,
      silentEngines: silent.length,
      otherVersionHosts: [...new Set(engines.filter(isOther).map(({ host }) => host))].toSorted(),
    }
  }
}
