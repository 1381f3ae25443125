import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { EngineStatus } from '#contract/entities/engine.ts'
import { findAudioStoreFault } from '#data/audio-store/store-mark.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { featuresOf, findLiveEngines, recordHeartbeat } from '#data/engines/engines.ts'
import { version } from '#data/version.ts'
import type { LoadedModels } from './jobs/loaded-models.ts'

export interface EnginePresence {
  /** Gives a sign of life, and looks who else gave one. */
  record(): Promise<void>
  /** Why this engine takes no recordings; null where it does. */
  problem(): string | null
  hasPeers(): boolean
  /** What all live engines can do together; null before the first look. */
  allFeatures(): EngineFeatures | null
}

interface PresenceOptions {
  connection: Connection
  engineId: string
  features: () => EngineFeatures
  threads: number
  loaded: LoadedModels
  /** What it knows of the servers that run models for it. */
  describeServers: () => Pick<EngineStatus, 'speech_servers' | 'translation_servers'>
  /** Where the recordings lie. */
  audioDir: string
  log: Logger
}

/** What this engine says of itself to the others and to the server, and what it knows of them. */
export function createPresence(options: PresenceOptions): EnginePresence {
  const { connection, engineId, features, threads, loaded, describeServers, audioDir, log } = options
  let problem: string | null = null
  let all: EngineFeatures | null = null
  let liveCount = 1

  async function findProblem() {
    const found = await findAudioStoreFault(connection, audioDir)
    if (found && found !== problem) log.error(found)
    if (!found && problem) log.info('the recordings can be read again')
    problem = found
  }

  return {
    async record() {
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
