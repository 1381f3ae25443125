import { AppError } from '#contract/app-error.ts'
import type { Model, ModelUse } from '#contract/entities/model.ts'
import type { ModelRequest } from '#contract/entities/model-operation.ts'
import { describeLanguage } from '#contract/languages.ts'

type CatalogRequest = Exclude<ModelRequest, { kind: 'import' }>

/**
 * Rejects early what an engine would reject later, based on the lists that engines last published. Engines check again when they run the
 * request. Throws `not_found` for a model that no engine knows, and `conflict` with the reason.
 */
export function assertCanStart(models: Model[], request: CatalogRequest): void {
  const model = models.find(({ id }) => id === request.model_id)
  if (!model) throw new AppError('not_found', `There is no model "${request.model_id}".`)
  if (request.kind === 'pull') return assertCanPull(model)
  if (request.kind === 'clear') return assertCanClear(model, request)
  if (!model.is_installed) throw conflict(`${model.name} is not installed.`)
  if (request.kind === 'use') assertCanUse(models, model, request)
  if (request.kind === 'remove') assertCanRemove(model)
}

function assertCanPull(model: Model): void {
  if (model.is_installed && !model.problem) throw conflict(`${model.name} is installed already.`)
  if (model.pull_problem) throw conflict(model.pull_problem)
}

function assertCanUse(
  models: Model[],
  model: Model,
  { language, pair }: Extract<CatalogRequest, { kind: 'use' }>,
): void {
  if (model.problem) throw conflict(`${model.name} cannot be used: ${model.problem.message}`)
  if (language && model.kind !== 'speech')
    throw conflict(`${model.name} translates: it is used for pairs of languages.`)
  if (pair && model.kind !== 'translation')
    throw conflict(`${model.name} transcribes: it is used for single languages.`)
  const unknown = [language, ...(pair?.split('-') ?? [])].filter((code) => code && !model.languages.includes(code))
  if (unknown[0]) throw conflict(`${model.name} does not know ${describeLanguage(unknown[0]).name}.`)
  const code = language ?? pair ?? null
  const fixed = models
    .filter(({ kind }) => kind === model.kind)
    .find(({ uses }) => uses.some((use) => use.chosen_by === 'environment' && use.code === code))
  if (fixed)
    throw conflict(`The environment of Awaz names ${fixed.name} for this. What it names is changed there alone.`)
}

function assertCanClear(model: Model, { language, pair }: Extract<CatalogRequest, { kind: 'clear' }>): void {
  const code = language ?? pair
  if (model.uses.some((use) => use.chosen_by === 'person' && use.code === code)) return
  throw conflict(`Nobody chose ${model.name} for this here.`)
}

function assertCanRemove(model: Model): void {
  if (model.is_demo) throw conflict(`${model.name} comes with Awaz and stays.`)
  if (model.uses.length === 0) return
  const uses = new Intl.ListFormat('en').format(model.uses.map(describeUse))
  throw new AppError('conflict', `${model.name} is in use for ${uses}.`, { help: 'Choose another model for it first.' })
}

function describeUse({ scope, code }: ModelUse): string {
  if (scope === 'default' || code === null) return 'everything that no other model is chosen for'
  if (scope === 'language') return describeLanguage(code).name
  return code
    .split('-')
    .map((each) => describeLanguage(each).name)
    .join(' to ')
}

function conflict(message: string): AppError {
  return new AppError('conflict', message)
}
