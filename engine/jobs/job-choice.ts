import type { JobChoice, WaitingJob } from '#data/jobs/claim.ts'
import { canRunJob, type EngineFeatures } from '#data/engines/engine-features.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { selectedLanguages } from '#data/jobs/work-keys.ts'
import type { EngineModels } from './engine-models.ts'

/** How long a job that no live engine can run waits for one that can: longer than an engine takes to restart. */
const unrunnableTimeoutMs = 2 * 60_000

interface ChoiceOptions {
  models: () => EngineModels
  /** Whether a model is in memory. */
  isLoaded: (modelId: string) => boolean
  canReadRecordings: () => boolean
  /** Returns the features of all live engines together; null while unknown. */
  allFeatures: () => EngineFeatures | null
  now?: () => number
}

/**
 * Decides which waiting jobs an engine claims: those that its models can run, and those that no engine has been able to run for two
 * minutes, so that they fail with the reason. A job from another version whose parameters do not parse is claimed for the same purpose.
 */
export function createJobChoice(options: ChoiceOptions): JobChoice {
  const { models, isLoaded, canReadRecordings, allFeatures, now = () => performance.now() } = options
  /** When each job was first seen to be runnable by no live engine, by job id. */
  let unrunnableSince = new Map<string, number>()

  function hasTimedOut({ id }: WaitingJob): boolean {
    const since = unrunnableSince.get(id) ?? now()
    // Entries of jobs that have since been cancelled are never used again.
    if (unrunnableSince.size > 2000) unrunnableSince = new Map()
    unrunnableSince.set(id, since)
    return now() - since >= unrunnableTimeoutMs
  }

  return {
    canRun(job) {
      const { data: params } = JobParams.safeParse(job.params)
      if (!params) return true
      if (params.kind !== 'translate' && !canReadRecordings()) return false
      if (canRunJob(models().features, params)) return true
      const all = allFeatures()
      if (!all || canRunJob(all, params)) {
        unrunnableSince.delete(job.id)
        return false
      }
      return hasTimedOut(job)
    },
    isModelLoaded(job) {
      const { data: params } = JobParams.safeParse(job.params)
      return params !== undefined && findModelIds(models(), params).some(isLoaded)
    },
  }
}

/** Returns the ids of the models that a job uses on this engine; empty if it needs none or its model is missing. */
function findModelIds(models: EngineModels, params: JobParams): string[] {
  if (params.kind === 'translate') {
    const own = models.translationByPair[`${params.sourceLanguage}-${params.targetLanguage}`]
    return idsOf(own ?? models.features.translation)
  }
  if (params.kind === 'diarize' && !params.hasText) return []
  if (params.model !== null) return [params.model]
  return selectedLanguages(params).flatMap(
    (language) => models.speechByLanguage[language]?.id ?? idsOf(models.features.speech),
  )
}

function idsOf(model: { id: string } | null): string[] {
  return model ? [model.id] : []
}
