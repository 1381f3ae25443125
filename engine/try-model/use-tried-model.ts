import { stat } from 'node:fs/promises'
import { readMeasurements } from '#engine/models/measurements.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { listModelFiles } from '#engine/models/model-files.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import { useModel, type UseScope } from '#engine/models/store/use-model.ts'
import { describeMachine } from './machine.ts'
import { tryModel } from './try-model.ts'
import { hasTranslationSample } from './try-translation.ts'

/**
 * Chooses a model as `useModel` does, once it has worked on a sample: one that cannot be loaded or returns nothing is never in use. A
 * model that worked on this processor since its files were written is not tried again.
 *
 * @throws AppError as `useModel` and `tryModel` do
 */
export async function useTriedModel(
  id: string,
  scope: UseScope,
  config: StoreConfig,
  store: StoreOptions = {},
): Promise<ModelEntry> {
  const { signal, onProgress } = store
  return useModel(id, scope, config, {
    ...store,
    async check(model) {
      if (!canBeTried(model) || (await hasWorked(model, config.modelsDir))) return
      onProgress?.({ stage: 'check', done: 0, total: null })
      await tryModel(id, config, { signal })
    },
  })
}

/** The demo models come with Awaz, which is tested with them. */
function canBeTried(model: SpeechModel | TranslationModel): boolean {
  return !model.isDemo && (model.kind === 'speech' || hasTranslationSample(model))
}

async function hasWorked(model: SpeechModel | TranslationModel, modelsDir: string): Promise<boolean> {
  const measurement = (await readMeasurements(modelsDir))[model.id]
  if (!measurement || measurement.processor !== describeMachine().processor) return false
  const files = await listModelFiles(model)
  const changes = await Promise.all(files.map(async ({ path }) => (await stat(path)).ctimeMs))
  return changes.every((changedMs) => changedMs < Date.parse(measurement.measuredAt))
}
