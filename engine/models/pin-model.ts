import { AppError } from '#contract/app-error.ts'
import { contentHash } from './content-hash.ts'
import { isRemote } from './model-entry.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'

/**
 * Thrown if the files of a model have been replaced or removed since it was pinned, so that earlier and later results would come from
 * different weights. The job starts over with the new files.
 */
export class ModelChangedError extends AppError {
  constructor({ name }: { name: string }) {
    super('model_unavailable', `The model ${name} was replaced or removed while it was in use.`, {
      help: 'Start the work again once the model is in place.',
    })
  }
}

type AnyModel = SpeechModel | TranslationModel

/** Returns the model with the current hash of its files, or a remote model unchanged. Throws ModelChangedError. */
export async function pinModel<Model extends AnyModel>(
  model: Model,
  options: { modelsDir?: string; signal?: AbortSignal },
): Promise<Model> {
  if (isRemote(model)) return model
  return { ...model, contentHash: await hashOrThrowChanged(model, options) }
}

/** Throws ModelChangedError if the files of a pinned model have changed. Costs one `stat` per file if nothing has changed. */
export async function assertUnchanged(model: AnyModel, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  if (model.contentHash === undefined) return
  if ((await hashOrThrowChanged(model, { signal })) !== model.contentHash) throw new ModelChangedError(model)
}

/** Treats a missing file as changed: it was removed after the model was verified. */
async function hashOrThrowChanged(
  model: AnyModel,
  options: { modelsDir?: string; signal?: AbortSignal },
): Promise<string> {
  try {
    return await contentHash(model, options)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new ModelChangedError(model)
  }
}
