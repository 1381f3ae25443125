import { AppError } from '#contract/app-error.ts'
import type { Model, ModelUse } from '#contract/entities/model.ts'
import type { ModelRequest } from '#contract/entities/model-operation.ts'
import { describeLanguage } from '#contract/languages.ts'

type Wish = Exclude<ModelRequest, { kind: 'import' }>

/**
 * Refuses at once what an engine would refuse later, by what the engines last said of their models. They look again when they do it.
 * Throws `not_found` for a model that no engine knows and `conflict` with the reason.
 */
export function assertCanStart(models: Model[], wish: Wish): void {
  const model = models.find(({ id }) => id === wish.model_id)
  if (!model) throw new AppError('not_found', `There is no model "${wish.model_id}".`)
  if (wish.kind === 'pull') return assertCanPull(model)
  if (wish.kind === 'clear') return assertCanClear(model, wish)
  if (!model.is_installed) throw refusal(`${model.name} is not installed.`)
  if (wish.kind === 'use') assertCanUse(models, model, wish)
  if (wish.kind === 'remove') assertCanRemove(model)
}

function assertCanPull(model: Model): void {
  if (model.is_installed && !model.problem) throw refusal(`${model.name} is installed already.`)
  if (model.pull_problem) throw refusal(model.pull_problem)
}

function assertCanUse(models: Model[], model: Model, { language, pair }: Extract<Wish, { kind: 'use' }>): void {
  if (model.problem) throw refusal(`${model.name} cannot be used: ${model.problem.message}`)
  if (language && model.kind !== 'speech') throw refusal(`${model.name} translates: it is used for pairs of languages.`)
  if (pair && model.kind !== 'translation') throw refusal(`${model.name} transcribes: it is used for single languages.`)
  const unknown = [language, ...(pair?.split('-') ?? [])].filter((code) => code && !model.languages.includes(code))
  if (unknown[0]) throw refusal(`${model.name} does not know ${describeLanguage(unknown[0]).name}.`)
  const code = language ?? pair ?? null
  const fixed = models
    .filter(({ kind }) => kind === model.kind)
    .find(({ uses }) => uses.some((use) => use.chosen_by === 'environment' && use.code === code))
  if (fixed)
    throw refusal(`The environment of Awaz names ${fixed.name} for this. What it names is changed there alone.`)
}

function assertCanClear(model: Model, { language, pair }: Extract<Wish, { kind: 'clear' }>): void {
  const code = language ?? pair
  if (model.uses.some((use) => use.chosen_by === 'person' && use.code === code)) return
  throw refusal(`Nobody chose ${model.name} for this here.`)
}

function assertCanRemove(model: Model): void {
  if (model.is_demo) throw refusal(`${model.name} comes with Awaz and stays.`)
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

function refusal(message: string): AppError {
  return new AppError('conflict', message)
}
