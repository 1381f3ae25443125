import { AppError } from '#contract/app-error.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { needsNoTranslation, requirePair } from './language-pair.ts'
import type { Translator } from './llama.ts'
import type { LanguagePair } from './prompt.ts'

/** One call of a model: what it translates from and into. */
export interface RouteStep {
  model: TranslationModel
  pair: LanguagePair
}

/** How a text gets from one language to another. `via` is the language between two legs, null where one model does it at once. */
export interface Route {
  legs: [RouteStep] | [RouteStep, RouteStep]
  via: 'en' | null
}

/** The models that an engine translates with: see EngineModels. */
export interface TranslationModels {
  requireTranslation(pair?: string): TranslationModel
  /** Models that were chosen for a pair such as `ps-en`. */
  translationByPair: Record<string, TranslationModel>
}

/** Several models that share the work of a job, of which memory holds one at a time. */
export interface Translators {
  /** @throws AppError `unsupported_pair` where no model knows the languages, `model_unavailable` where the one that would is broken */
  route(pair: LanguagePair): Route
  /** The translator of a model, which takes the place of the one before. */
  use(model: TranslationModel): Promise<Translator>
  /** The one for all pairs without a model of their own; undefined where it cannot be used. */
  mainModel: TranslationModel | undefined
}

/** Translates each pair with the model that `models` has for it. */
export function chooseTranslators(
  models: TranslationModels,
  use: (model: TranslationModel) => Promise<Translator>,
): Translators {
  return { use, mainModel: findMain(models).model, route: (pair) => requireRoute(models, pair) }
}

/** Whether a job is given several translators or the one for everything. */
export function hasRoutes(source: Translator | Translators): source is Translators {
  return 'route' in source
}

/** @throws AppError `unsupported_pair`, `model_unavailable` where nothing given translates the pair */
export function assertTranslatable(source: Translator | Translators, pair: LanguagePair): void {
  if (needsNoTranslation(pair)) return
  if (hasRoutes(source)) source.route(pair)
  else requirePair(source.model, pair)
}

/** The model that a pair is written by in the end, as far as that is known before. */
export function modelFor(source: Translator | Translators, pair: LanguagePair): TranslationModel | undefined {
  if (!hasRoutes(source)) return source.model
  return needsNoTranslation(pair) ? source.mainModel : source.route(pair).legs.at(-1)?.model
}

/**
 * Returns the way of a pair: by the model chosen for it, else the main one, else any that knows both languages, else over English.
 * Undefined where there is none.
 */
export function findRoute(models: TranslationModels, pair: LanguagePair): Route | undefined {
  const direct = findDirect(models, pair)
  if (direct) return { legs: [direct], via: null }
  if (pair.source === 'en' || pair.target === 'en') return undefined
  const toEnglish = findDirect(models, { source: pair.source, target: 'en' })
  const fromEnglish = findDirect(models, { source: 'en', target: pair.target })
  return toEnglish && fromEnglish && { legs: [toEnglish, fromEnglish], via: 'en' }
}

function requireRoute(models: TranslationModels, pair: LanguagePair): Route {
  assertOwnModelWorks(models, pair)
  const route = findRoute(models, pair)
  if (route) return route
  const { model, error } = findMain(models)
  if (!model) throw error
  requirePair(model, pair)
  throw new AppError('unsupported_pair', `No model in use translates from ${pair.source} to ${pair.target}.`)
}

/** A broken model that was chosen for a pair is not replaced by another: its text would be another one's. */
function assertOwnModelWorks(models: TranslationModels, pair: LanguagePair): void {
  if (findMain(models).model) models.requireTranslation(keyOf(pair))
}

function findDirect(models: TranslationModels, pair: LanguagePair): RouteStep | undefined {
  const candidates = [
    models.translationByPair[keyOf(pair)],
    findMain(models).model,
    ...Object.values(models.translationByPair),
  ]
  const model = candidates.find((candidate) => candidate && knows(candidate, pair))
  return model && { model, pair }
}

function knows({ languages }: TranslationModel, { source, target }: LanguagePair): boolean {
  return languages.includes(source) && languages.includes(target)
}

function findMain(models: TranslationModels): { model?: TranslationModel; error?: unknown } {
  try {
    return { model: models.requireTranslation() }
  } catch (error) {
    return { error }
  }
}

function keyOf({ source, target }: LanguagePair): string {
  return `${source}-${target}`
}
