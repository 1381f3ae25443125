import { AppError } from '#contract/app-error.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'

/** A model in one of its uses. `error` is why it cannot be used; `model` is set wherever the catalogue has its entry. */
export interface CheckedModel<Model> {
  model?: Model
  error?: AppError
  health: ModelHealth
}

type Inspected<Model> = Omit<CheckedModel<Model>, 'health'>

/** Finds a model and inspects it. Returns any problem with it instead of throwing, so that other models stay usable. */
export async function inspectModel<Model extends SpeechModel | TranslationModel>(
  find: () => Promise<Model>,
  inspect: (model: Model) => Promise<Model>,
): Promise<Inspected<Model>> {
  let model: Model | undefined
  try {
    model = await find()
    return { model: await inspect(model) }
  } catch (error) {
    if (error instanceof AppError) return { model, error }
    if (model && isFileError(error)) return { model, error: unreadable(model, error) }
    throw error
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
}

/** No right to read, a disk that does not work. */
function unreadable({ name, path }: SpeechModel | TranslationModel, cause: NodeJS.ErrnoException): AppError {
  return new AppError('model_unavailable', `The file of the model ${name} cannot be read (${cause.code}).`, {
    help: `Let the engine's user read ${path}.`,
    cause,
  })
}

interface Use extends Pick<ModelHealth, 'kind' | 'languages'> {
  id?: string
  pairs?: string[]
  /** Sentences that everybody may read do not name it. */
  modelsDir: string
}

export function withHealth<Model extends SpeechModel | TranslationModel>(
  { model, error }: Inspected<Model>,
  { id = '', modelsDir, pairs = [], ...use }: Use,
): CheckedModel<Model> {
  const problem = error ? withoutFolders(error.message, modelsDir) : null
  return { model, error, health: { id, name: model?.name ?? id, ...use, pairs, problem } }
}

/** The sentence without where this installation keeps its models, which is nobody's business but the administrators'. */
function withoutFolders(message: string, modelsDir: string): string {
  return message.replaceAll(`${modelsDir}/`, '').replaceAll(`${bundledModelsDir}/`, '')
}
