import type { JobChoice, WaitingJob } from '#data/jobs/claim.ts'
import { canRunJob, type EngineFeatures } from '#data/engines/engine-features.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { spokenLanguages } from '#data/jobs/work-keys.ts'
import type { EngineModels } from './engine-models.ts'

/** A job that no live engine can do waits this long for one that can: an engine that is started again is away for as long. */
const hopelessAfterMs = 2 * 60_000

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
 * Which of the waiting jobs an engine takes: those its models can do, and those that no engine can do, once they waited for two minutes,
 * so that their owners are told why. A job that cannot be read, of another version, is taken by anybody for the same reason.
 */
export function createJobChoice(options: ChoiceOptions): JobChoice {
  const { models, isLoaded, canReadRecordings, allFeatures, now = () => performance.now() } = options
  /** Since when no live engine can do a job, by its id. */
  let hopelessSince = new Map<string, number>()

  function isHopeless({ _id }: WaitingJob): boolean {
    const id = _id.toHexString()
    const since = hopelessSince.get(id) ?? now()
    // Jobs that were cancelled meanwhile are never asked about again.
    if (hopelessSince.size > 2000) hopelessSince = new Map()
    hopelessSince.set(id, since)
    return now() - since >= hopelessAfterMs
  }

  return {
    canRun(job) {
      const { data: params } = JobParams.safeParse(job.params)
      if (!params) return true
      if (params.kind !== 'translate' && !canReadRecordings()) return false
      if (canRunJob(models().features, params)) return true
      const all = allFeatures()
      if (!all || canRunJob(all, params)) {
        hopelessSince.delete(job._id.toHexString())
        return false
      }
      return isHopeless(job)
    },
    isModelLoaded(job) {
      const { data: params } = JobParams.safeParse(job.params)
      return params !== undefined && findModelIds(models(), params).some(isLoaded)
    },
  }
}

/** The models that a job is done with here; none for one that needs none, or whose model is missing. */
function findModelIds(models: EngineModels, params: JobParams): string[] {
  if (params.kind === 'translate') {
    const own = models.translationByPair[`${params.sourceLanguage}-${params.targetLanguage}`]
    return idsOf(own ?? models.features.translation)
  }
  if (params.kind === 'diarize' && !params.hasText) return []
  return spokenLanguages(params).flatMap(
    (language) => models.speechByLanguage[language]?.id ?? idsOf(models.features.speech),
  )
}

function idsOf(model: { id: string } | null): string[] {
  return model ? [model.id] : []
}
