import { AppError } from '#contract/app-error.ts'
import { describeLanguage, transcriptionLanguages } from '#contract/languages.ts'
import { chooseModelIds } from '#engine/models/active-models.ts'
import { findEntry } from '#engine/models/catalog.ts'
import type { ModelEntry, SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import type { UseScope } from '#engine/models/store/use-model.ts'
import { useTriedModel } from './use-tried-model.ts'

/**
 * Uses a new speech model at once for everything that only a demo model serves, once it and its forms have worked on a sample. Returns a sentence
 * about what it is used for, or about why it is not; undefined where other models were chosen already.
 *
 * @throws AppError `job_cancelled` when `signal` is aborted
 */
export async function adoptModel(
  model: ModelEntry,
  config: StoreConfig,
  store: StoreOptions = {},
): Promise<string | undefined> {
  if (model.kind !== 'speech' || config.speechServers) return undefined
  const scopes = await findFreeScopes(model, config)
  if (scopes.length === 0) return undefined
  try {
    for (const scope of scopes) await useTriedModel(model.id, scope, config, store)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'job_cancelled') throw error
    return `It is not used yet: ${error.message}`
  }
  const names = scopes.map(({ language }) => (language ? describeLanguage(language).name : 'all languages'))
  return `It is used for ${names.join(', ')} from the next job on, because no other model was chosen for that.`
}

/** Returns what only a demo model serves: everything for a model of all languages, else the model's languages. */
async function findFreeScopes({ languages }: SpeechModelEntry, config: StoreConfig): Promise<UseScope[]> {
  const { speech, speechByLanguage } = await chooseModelIds(config)
  if (config.speechModel !== undefined || !(await findEntry(speech, config.modelsDir)).isDemo) return []
  if (transcriptionLanguages.every((code) => languages.includes(code))) return [{}]
  return languages.filter((code) => speechByLanguage[code] === undefined).map((language) => ({ language }))
}
