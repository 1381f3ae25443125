import { stat } from 'node:fs/promises'
import { readMeasurements } from '#engine/models/measurements.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { listModelFiles } from '#engine/models/model-files.ts'
import type { StoreConfig, StoreOptions } from '#engine/models/store/store-options.ts'
import { useModel, type UseScope } from '#engine/models/store/use-model.ts'
import { startBackend } from '#engine/speech/backend/start-backend.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import { describeMachine } from './machine.ts'
import { tryForms } from './try-forms.ts'
import type { TrialConfig } from './try-model.ts'
import { describeEngine, hasTranslationSample } from './try-translation.ts'

/**
 * Chooses a model as `useModel` does, once it has worked on a sample: one that cannot be loaded or returns nothing is never in use. A
 * model that worked on this machine since its files were written is not tried again, unless another version of the engine runs it, or
 * another device. Its other forms are tried with it: see `tryForms`.
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

/** The demo models come with Awaz, which is tested with them. */
function canBeTried(model: SpeechModel | TranslationModel): boolean {
  return !model.isDemo && (model.kind === 'speech' || hasTranslationSample(model))
}

async function hasWorked(
  model: SpeechModel | TranslationModel,
  { modelsDir, translationGpu }: TrialConfig,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const measurement = (await readMeasurements(modelsDir))[model.id]
  const { processor, device } = describeMachine(model.kind === 'translation' ? translationGpu : undefined)
  if (measurement?.processor !== processor || measurement.device !== device) return false
  if (measurement.engine !== (await findEngine(model, signal))) return false
  const files = await listModelFiles(model)
  const changes = await Promise.all(files.map(async ({ path }) => (await stat(path)).ctimeMs))
  return changes.every((changedMs) => changedMs < Date.parse(measurement.measuredAt))
}

/** Returns the engine that runs a model, with its version. No process starts: that would be with the first call. */
async function findEngine(model: SpeechModel | TranslationModel, signal: AbortSignal | undefined): Promise<string> {
  if (model.kind === 'translation') {
    const translator = await startTranslator({ model, threads: 1, signal })
    await translator.close()
    return describeEngine(translator)
  }
  const backend = await startBackend({ model, threads: () => 1, signal })
  await backend.close()
  return backend.capabilities.engine
}
