import type { Logger } from 'pino'
import type { EngineStatus } from '#contract/entities/engine.ts'
import { findAudioStoreProblem } from '#data/audio-store/store-mark.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { featuresOf, findLiveEngines, recordHeartbeat } from '#data/engines/engines.ts'
import { version } from '#data/version.ts'
import type { LoadedModels } from './jobs/loaded-models.ts'

export interface EnginePresence {
  /** Records a heartbeat and reads those of the other engines. */
  recordHeartbeat(): Promise<void>
  /** Returns why this engine claims no recordings; null when it does. */
  problem(): string | null
  hasPeers(): boolean
  /** Returns the features of all live engines together; null before the first heartbeat. */
  allFeatures(): EngineFeatures | null
}

interface PresenceOptions {
  connection: DatabaseConnection
  engineId: string
  features: () => EngineFeatures
  threads: number
  loaded: LoadedModels
  /** Returns the state of the servers that run models for it. */
  describeServers: () => Pick<EngineStatus, 'speech_servers' | 'translation_servers'>
  /** Folder of the recordings. */
  audioDir: string
  log: Logger
}

/** Reports this engine's status to the server and the other engines, and follows theirs. */
export function createPresence(options: PresenceOptions): EnginePresence {
  const { connection, engineId, features, threads, loaded, describeServers, audioDir, log } = options
  let problem: string | null = null
  let all: EngineFeatures | null = null
  let liveCount = 1

  async function findProblem() {
    const found = await findAudioStoreProblem(connection, audioDir)
    if (found && found !== problem) log.error(found)
    if (!found && problem) log.info('the recordings can be read again')
    problem = found
  }

  return {
    async recordHeartbeat() {
      await findProblem()
      const status = { version, threads, ...loaded.describe(), problem, ...describeServers() }
      await recordHeartbeat(connection, engineId, { features: features(), status })
      const live = await findLiveEngines(connection)
      liveCount = live.length
      all = featuresOf(live)
    },
    problem: () => problem,
    hasPeers: () => liveCount > 1,
    allFeatures: () => all,
  }
}
