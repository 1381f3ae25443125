import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { type EngineRecord, findLiveEngines, readFeatures } from '#data/engines/engines.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import type { CheckResult } from './readiness.ts'
import { readServers, statusOf } from './system-status.ts'

/** Checks that there is a model for each kind of work. If a broken model affects only some languages, it is named and the check passes. */
function checkModels(features: EngineFeatures | null): CheckResult {
  if (!features) return { ok: true, message: 'not known while no engine runs' }
  const { models, speech, translation } = features
  const broken = models.filter(({ problem }) => problem !== null)
  const ok =
    (speech !== null || !hasKind(broken, 'speech')) && (translation !== null || !hasKind(broken, 'translation'))
  const inUse = `${models.length - broken.length} of ${models.length} can be used`
  return { ok, message: broken.length === 0 ? inUse : `${inUse}. ${broken.map(describeProblem).join(' ')}` }
}

function hasKind(models: ModelHealth[], kind: ModelHealth['kind']): boolean {
  return models.some((model) => model.kind === kind)
}

function describeProblem({ kind, languages, pairs, problem }: ModelHealth): string {
  const names = new Intl.ListFormat('en').format(languages.map((code) => describeLanguage(code).name))
  const what = kind === 'speech' ? 'Transcription' : 'Translation'
  const scope = pairs.length > 0 ? ` (${pairs.join(', ')})` : names && ` (${names})`
  return `${what}${scope}: ${problem}`
}

/** Returns the readiness checks of the engines: that one is running, that it has models, and that the servers it uses are reachable. */
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

/** Names no folder, because GET /readyz is public; the System page shows the engine's full sentence. */
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
