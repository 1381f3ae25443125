import type { ModelHealth } from '#contract/entities/model-health.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { readFeatures } from '#data/engines/engines.ts'
import type { Services } from '#server/services.ts'
import type { CheckResult } from './readiness.ts'

/** That there is a model for each kind of work. One that takes only some languages away is named, and the rest goes on. */
export function addModelCheck({ readiness, database }: Pick<Services, 'readiness' | 'database'>): void {
  readiness.add('models', async () => checkModels(await readFeatures(database.connection)))
}

function checkModels(features: EngineFeatures | null): CheckResult {
  if (!features) return { ok: true, message: 'not known while no engine runs' }
  const { models, speech, translation } = features
  const broken = models.filter(({ problem }) => problem !== null)
  const ok =
    (speech !== null || !isWanted(broken, 'speech')) && (translation !== null || !isWanted(broken, 'translation'))
  const inUse = `${models.length - broken.length} of ${models.length} can be used`
  return { ok, message: broken.length === 0 ? inUse : `${inUse}. ${broken.map(describeProblem).join(' ')}` }
}

function isWanted(broken: ModelHealth[], kind: ModelHealth['kind']): boolean {
  return broken.some((model) => model.kind === kind)
}

function describeProblem({ kind, languages, pairs, problem }: ModelHealth): string {
  const names = new Intl.ListFormat('en').format(languages.map((code) => describeLanguage(code).name))
  const what = kind === 'speech' ? 'Transcription' : 'Translation'
  const scope = pairs.length > 0 ? ` (${pairs.join(', ')})` : names && ` (${names})`
  return `${what}${scope}: ${problem}`
}
