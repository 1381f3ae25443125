import { AppError } from '#contract/app-error.ts'
import { contentHash } from './content-hash.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'

/**
 * The files of a model were replaced or removed since it was pinned, so that what it made already and what it would make now are of
 * different weights. The work starts over with the model as it is then.
 */
export class ModelChanged extends AppError {
  constructor({ name }: { name: string }) {
    super('model_unavailable', `The model ${name} was replaced or removed while it was in use.`, {
      help: 'Start the work again once the model is in place.',
    })
  }
}

type AnyModel = SpeechModel | TranslationModel

/** Returns the model with the hash of its files as they are now. One that other machines hold stays as it is. Throws ModelChanged. */
export async function pinModel<Model extends AnyModel>(
  model: Model,
  options: { modelsDir?: string; signal?: AbortSignal },
): Promise<Model> {
  if (isRemote(model)) return model
  return { ...model, contentHash: await hashOrGone(model, options) }
}

/** Throws ModelChanged where the files of a pinned model are other ones by now. Costs a look at each file while nothing changed. */
export async function assertUnchanged(model: AnyModel, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  if (model.contentHash === undefined) return
  if ((await hashOrGone(model, { signal })) !== model.contentHash) throw new ModelChanged(model)
}

/** Files that were there when the model was verified are missing only because somebody removed them since. */
async function hashOrGone(model: AnyModel, options: { modelsDir?: string; signal?: AbortSignal }): Promise<string> {
  try {
    return await contentHash(model, options)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new ModelChanged(model)
  }
}

function isRemote(model: AnyModel): boolean {
  return 'remoteName' in model && model.remoteName !== undefined
}
