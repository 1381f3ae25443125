import type { JobChoice, WaitingJob } from '#data/jobs/claim.ts'
import { canRunJob, type EngineFeatures } from '#data/engines/engine-features.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { selectedLanguages } from '#data/jobs/work-keys.ts'
import type { EngineModels } from './engine-models.ts'

/** How long a job that no live engine can do waits for one that can: longer than an engine needs to restart. */
const unrunnableTimeoutMs = 2 * 60_000

interface ChoiceOptions {
  models: () => EngineModels
  /** Whether a model is in memory. */
  isLoaded: (modelId: string) => boolean
  canReadRecordings: () => boolean
  /** What all live engines can do together; null while that is not known. */
  allFeatures: () => EngineFeatures | null
  now?: () => number
}

/**
 * Decides which waiting jobs an engine takes: those its models can do, and those that no engine can do once they waited for two minutes,
 * so that they fail with the reason. A job of another version whose parameters do not parse is taken for the same purpose.
 */
export function createJobChoice(options: ChoiceOptions): JobChoice {
  const { models, isLoaded, canReadRecordings, allFeatures, now = () => performance.now() } = options
  /** Since when no live engine can do a job, by its id. */
  let unrunnableSince = new Map<string, number>()

  function hasWaitedInVain({ id }: WaitingJob): boolean {
    const since = unrunnableSince.get(id) ?? now()
    // Entries of jobs that were cancelled meanwhile are never used again.
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
      return hasWaitedInVain(job)
    },
    isModelLoaded(job) {
      const { data: params } = JobParams.safeParse(job.params)
      return params !== undefined && findModelIds(models(), params).some(isLoaded)
    },
  }
}

/** Returns the models that a job uses here; none for one that needs none, or whose model is missing. */
function findModelIds(models: EngineModels, params: JobParams): string[] {
  if (params.kind === 'translate') {
    const own = models.translationByPair[`${params.sourceLanguage}-${params.targetLanguage}`]
    return idsOf(own ?? models.features.translation)
  }
  if (params.kind === 'diarize' && !params.hasText) return []
  return selectedLanguages(params).flatMap(
    (language) => models.speechByLanguage[language]?.id ?? idsOf(models.features.speech),
  )
}

function idsOf(model: { id: string } | null): string[] {
  return model ? [model.id] : []
}
