import type { ModelHealth } from '#contract/entities/model-health.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import type { CheckResult } from './readiness.ts'

/** Checks that there is a model for each kind of work. A broken model that affects only some languages is named, and the check passes. */
export function checkModels(features: EngineFeatures | null): CheckResult {
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
