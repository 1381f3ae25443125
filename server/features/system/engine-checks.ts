import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { findLiveEngines, type EngineRecord } from '#data/engines/engines.ts'
import type { Services } from '#server/services.ts'
import type { CheckResult } from './readiness.ts'
import { readServers, statusOf } from './system-status.ts'

/** That somebody does the work: engines, and the servers that they send sound and texts to. */
export function addEngineChecks({ readiness, database }: Pick<Services, 'readiness' | 'database'>): void {
  readiness.add('engine', async () => checkEngines(await findLiveEngines(database.connection)))
  readiness.add('speech_servers', async () =>
    checkServers(readServers(await findLiveEngines(database.connection), 'speech_servers'), 'transcription'),
  )
  readiness.add('translation_servers', async () =>
    checkServers(readServers(await findLiveEngines(database.connection), 'translation_servers'), 'translation'),
  )
}

/** Says nothing of folders: everybody may ask. The System page has the engine's own sentence. */
function checkEngines(engines: EngineRecord[]): CheckResult {
  if (engines.length === 0) return { ok: false, message: 'none is running' }
  const blind = engines.filter((engine) => statusOf(engine)?.problem).length
  if (blind === 0) return { ok: true, message: `${engines.length} running` }
  if (blind < engines.length) {
    return { ok: true, message: `${engines.length} running, of which ${blind} cannot read the recordings` }
  }
  return { ok: false, message: 'none can read the recordings: share DATA_DIR/audio between the hosts' }
}

function checkServers(servers: RemoteServerStatus[], kind: 'transcription' | 'translation'): CheckResult {
  if (servers.length === 0) return { ok: true, message: 'none are set' }
  const away = servers.filter(({ is_reachable }) => is_reachable === false).map(({ address }) => address)
  if (away.length === 0) return { ok: true, message: `${servers.length} in use` }
  if (away.length < servers.length) {
    return { ok: true, message: `${servers.length - away.length} of ${servers.length} in use, without ${list(away)}` }
  }
  return { ok: false, message: `no ${kind} server can be reached: ${list(away)}` }
}

function list(addresses: string[]): string {
  return new Intl.ListFormat('en').format(addresses)
}
