import { AppError } from '#contract/app-error.ts'
import { describeLanguage, transcriptionLanguages } from '#contract/languages.ts'
import { chooseModelIds } from '#engine/models/active-models.ts'
import { findEntry } from '#engine/models/catalog.ts'
import type { ModelEntry, SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import type { UseScope } from '#engine/models/store/use-model.ts'
import { useTriedModel } from './use-tried-model.ts'

/**
 * Puts a new speech model to use at once for everything that only a demo model serves, after it and its forms have worked on a sample.
 * Returns sentences about what it is used for, and what it is not used for and why; empty if other models were already chosen. The model
 * stays installed whatever happens here, so cancellation is one of the reasons.
 */
export async function adoptModel(model: ModelEntry, config: StoreConfig, store: StoreOptions = {}): Promise<string[]> {
  if (model.kind !== 'speech' || config.speechServers) return []
  const waiting: FreeScope[] = []
  const used: string[] = []
  try {
    waiting.push(...(await findFreeScopes(model, config)))
    for (let next = waiting[0]; next; next = waiting[0]) {
      await useTriedModel(model.id, next.scope, config, store)
      used.push(...next.names)
      waiting.shift()
    }
    return describeUse(used)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const scopes = used.length === 0 ? '' : ` for ${waiting.flatMap(({ names }) => names).join(', ')}`
    return [...describeUse(used), `It is not used${scopes} yet: ${error.message}`]
  }
}

function describeUse(names: string[]): string[] {
  if (names.length === 0) return []
  return [`It is used for ${names.join(', ')} from the next job on, because no other model was chosen for that.`]
}

/** A scope that only a demo model serves, with the names of its languages. */
interface FreeScope {
  scope: UseScope
  names: string[]
}

/** Returns everything for a model of all languages, or else the model's languages, in both cases without languages that have a model. */
async function findFreeScopes({ languages }: SpeechModelEntry, config: StoreConfig): Promise<FreeScope[]> {
  if (config.speechModel !== undefined) return []
  const { speech, speechByLanguage } = await chooseModelIds(config)
  if (!(await findEntry(speech, config.modelsDir)).isDemo) return []
  const free = languages.filter((code) => speechByLanguage[code] === undefined)
  if (!transcriptionLanguages.every((code) => languages.includes(code))) {
    return free.map((language) => ({ scope: { language }, names: [nameOf(language)] }))
  }
  if (free.length === 0) return []
  return [{ scope: {}, names: free.length === languages.length ? ['all languages'] : free.map(nameOf) }]
}

function nameOf(language: string): string {
  return describeLanguage(language).name
}
