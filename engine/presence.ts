import type { Logger } from 'pino'
import type { EngineStatus } from '#contract/entities/engine.ts'
import { findAudioStoreProblem } from '#data/audio-store/store-mark.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { featuresOf, findLiveEngines, recordHeartbeat } from '#data/engines/engines.ts'
import type { LoadedModels } from './jobs/loaded-models.ts'

export interface EnginePresence {
  /**
   * Records a heartbeat and reads those of the other engines. An engine at rest does so only if something has changed since its last
   * heartbeat, or after an hour.
   */
  recordHeartbeat(options: { isResting: boolean }): Promise<void>
  /** Records a heartbeat although this engine is at rest: others have asked whether it is alive. */
  answerRollCall(): Promise<void>
  /** Returns why this engine claims no recordings; null if it does. */
  problem(): string | null
  /** Returns the features of all live engines together; null before the first heartbeat. */
  allFeatures(): EngineFeatures | null
}

interface PresenceOptions {
  connection: DatabaseConnection
  engineId: string
  features: () => EngineFeatures
  /** The software that this engine runs. */
  software: Pick<EngineStatus, 'version' | 'revision' | 'components'>
  threads: number
  /** Returns the number of the last roll call. */
  rollCall: () => number
  loaded: LoadedModels
  /** Returns the state of the servers that run models for this engine. */
  describeServers: () => Pick<EngineStatus, 'speech_servers' | 'translation_servers'>
  /** Folder of the recordings. */
  audioDir: string
  log: Logger
}

/** An engine at rest writes this often, so that its document does not expire (liveness.ts). */
const maxSilenceMs = 3_600_000

/** Reports this engine's status to the server and the other engines, and follows theirs. */
export function createPresence(options: PresenceOptions): EnginePresence {
  const { connection, engineId, features, software, threads, rollCall, loaded, describeServers, audioDir, log } =
    options
  let problem: string | null = null
  let all: EngineFeatures | null = null
  let isAtRest = false
  /** The content of the last heartbeat, and when it was recorded. */
  let recorded = { text: '', atMs: -Infinity }

  async function findProblem() {
    const found = await findAudioStoreProblem(connection, audioDir)
    if (found && found !== problem) log.error(found)
    if (!found && problem) log.info('the recordings can be read again')
    problem = found
  }

  function describe() {
    const status = { ...software, threads, ...loaded.describe(), problem, ...describeServers() }
    return { features: features(), status, isResting: isAtRest }
  }

  async function write(): Promise<void> {
    const heartbeat = describe()
    await recordHeartbeat(connection, engineId, { ...heartbeat, rollCall: rollCall() })
    recorded = { text: JSON.stringify(heartbeat), atMs: performance.now() }
  }

  function isRecorded(): boolean {
    return performance.now() - recorded.atMs < maxSilenceMs && recorded.text === JSON.stringify(describe())
  }

  return {
    async recordHeartbeat({ isResting }) {
      await findProblem()
      isAtRest = isResting
      if (isResting && isRecorded()) return
      await write()
      if (!isResting) all = featuresOf(await findLiveEngines(connection))
    },
    answerRollCall: write,
    problem: () => problem,
    allFeatures: () => all,
  }
}
