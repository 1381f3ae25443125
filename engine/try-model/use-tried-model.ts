import { hasCost, listOtherForms } from '#engine/models/forms.ts'
import { isCurrent, readMeasurements } from '#engine/models/measurements.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import { useModel, type UseScope } from '#engine/models/store/use-model.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import { describeMachine } from './machine.ts'
import { tryForms } from './try-forms.ts'
import type { TrialConfig } from './try-model.ts'
import { describeEngine, hasTranslationSample } from './try-translation.ts'

/**
 * Chooses a model as `useModel` does, once it has worked on a sample: a model that cannot be loaded or returns nothing is never put to use.
 * A model that has worked on this machine since its files were written is not tried again, unless it runs on another version of the engine
 * or another device. Its other forms are tried with it, even if only one of them was added since: see `tryForms`.
 *
 * @throws AppError as `useModel` and `tryModel` do
 */
export async function useTriedModel(
  id: string,
  scope: UseScope,
  config: StoreConfig & TrialConfig,
  store: StoreOptions = {},
): Promise<ModelEntry> {
  const { signal, onProgress } = store
  return useModel(id, scope, config, {
    ...store,
    async check(model) {
      if (!canBeTried(model) || (await hasWorked(model, config, signal))) return
      onProgress?.({ stage: 'check', done: 0, total: null })
      await tryForms(id, config, { signal })
    },
  })
}

/** The demo models come with Awaz, which is tested with them, so they are not tried. */
function canBeTried(model: SpeechModel | TranslationModel): boolean {
  return !model.isDemo && (model.kind === 'speech' || hasTranslationSample(model))
}

/** Returns whether the model has worked in its current state and, for speech, whether its other forms have been measured. */
async function hasWorked(
  model: SpeechModel | TranslationModel,
  config: TrialConfig,
  signal?: AbortSignal,
): Promise<boolean> {
  const { modelsDir } = config
  if (model.kind === 'translation') return hasTranslated(model, config, signal)
  const forms = await Promise.all(
    [model, ...(await listOtherForms(model, modelsDir))].map((form) => hasCost(form, modelsDir)),
  )
  return forms.every(Boolean)
}

async function hasTranslated(
  model: TranslationModel,
  { modelsDir, translationGpu }: TrialConfig,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const measurement = (await readMeasurements(modelsDir))[model.id]
  if (!measurement) return false
  // No process starts here: that would happen with the first call.
  const translator = await startTranslator({ model, threads: 1, signal })
  await translator.close()
  const { device } = describeMachine(translationGpu)
  return isCurrent(measurement, model, { engine: describeEngine(translator), device })
}
