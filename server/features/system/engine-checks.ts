import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findLiveEngines, readFeatures, type EngineRecord } from '#data/engines/engines.ts'
import { checkModels } from './model-check.ts'
import type { CheckResult } from './readiness.ts'
import { readServers, statusOf } from './system-status.ts'

/** Returns the readiness checks of the engines: that one runs, that it has models, and the servers that it uses. */
export function createEngineChecks(connection: DatabaseConnection) {
  const listServers = async (kind: 'speech_servers' | 'translation_servers') =>
    readServers(await findLiveEngines(connection), kind)
  return {
    models: async () => checkModels(await readFeatures(connection)),
    engine: async () => checkEngines(await findLiveEngines(connection)),
    speech_servers: async () => checkServers(await listServers('speech_servers'), 'transcription'),
    translation_servers: async () => checkServers(await listServers('translation_servers'), 'translation'),
  }
}

/** Names no folder, because GET /readyz is public; the System page shows the engine's own sentence. */
function checkEngines(engines: EngineRecord[]): CheckResult {
  if (engines.length === 0) return { ok: false, message: 'none is running' }
  const unable = engines.filter((engine) => statusOf(engine)?.problem).length
  if (unable === 0) return { ok: true, message: `${engines.length} running` }
  if (unable < engines.length) {
    return { ok: true, message: `${engines.length} running, of which ${unable} cannot read the recordings` }
  }
  return { ok: false, message: 'none can read the recordings: share DATA_DIR/audio between the hosts' }
}

function checkServers(servers: RemoteServerStatus[], kind: 'transcription' | 'translation'): CheckResult {
  if (servers.length === 0) return { ok: true, message: 'none are set' }
  const unreachable = servers.filter(({ is_reachable }) => is_reachable === false).map(({ address }) => address)
  if (unreachable.length === 0) return { ok: true, message: `${servers.length} in use` }
  if (unreachable.length < servers.length) {
    return {
      ok: true,
      message: `${servers.length - unreachable.length} of ${servers.length} in use, without ${list(unreachable)}`,
    }
  }
  return { ok: false, message: `no ${kind} server can be reached: ${list(unreachable)}` }
}

function list(addresses: string[]): string {
  return new Intl.ListFormat('en').format(addresses)
}
