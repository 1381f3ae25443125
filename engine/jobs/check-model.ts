import { AppError } from '#contract/app-error.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'

/** A model in one of its uses. `error` is set if it cannot be used, `model` if the catalog has an entry for it. */
export interface CheckedModel<Model> {
  model?: Model
  error?: AppError
  health: ModelHealth
}

type InspectedModel<Model> = Omit<CheckedModel<Model>, 'health'>

/** Finds a model and inspects it. Returns any problem with it instead of throwing, so that other models stay usable. */
export async function inspectModel<Model extends SpeechModel | TranslationModel>(
  find: () => Promise<Model>,
  inspect: (model: Model) => Promise<Model>,
): Promise<InspectedModel<Model>> {
  let model: Model | undefined
  try {
    model = await find()
    return { model: await inspect(model) }
  } catch (error) {
    if (error instanceof AppError) return { model, error }
    if (model && isFileError(error)) return { model, error: unreadableModelError(model, error) }
    throw error
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}

/** Returns the error for missing read permission or a failing disk. */
function unreadableModelError({ name, path }: SpeechModel | TranslationModel, cause: NodeJS.ErrnoException): AppError {
  return new AppError('model_unavailable', `The file of the model ${name} cannot be read (${cause.code}).`, {
    help: `Let the engine's user read ${path}.`,
    cause,
  })
}

interface Use extends Pick<ModelHealth, 'kind' | 'languages'> {
  id?: string
  pairs?: string[]
  /** Public messages do not name this folder. */
  modelsDir: string
}

/** Adds the public description of a model's state. */
export function withHealth<Model extends SpeechModel | TranslationModel>(
  { model, error }: InspectedModel<Model>,
  { id = '', modelsDir, pairs = [], ...use }: Use,
): CheckedModel<Model> {
  const problem = error ? withoutFolders(error.message, modelsDir) : null
  return { model, error, health: { id, name: model?.name ?? id, ...use, pairs, problem } }
}

/** Removes the paths of the models folders from a public message: only administrators may see them. */
function withoutFolders(message: string, modelsDir: string): string {
  return message.replaceAll(`${modelsDir}/`, '').replaceAll(`${bundledModelsDir}/`, '')
}
