import { AppError } from '#contract/app-error.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { needsNoTranslation, requirePair } from './language-pair.ts'
import type { Translator } from './llama.ts'
import type { LanguagePair } from './prompt.ts'

/** A model and the pair of languages that it translates. */
export interface RouteLeg {
  model: TranslationModel
  pair: LanguagePair
}

/** The models that translate a pair. `via` is the pivot language between two legs; null if one model translates directly. */
export interface Route {
  legs: [RouteLeg] | [RouteLeg, RouteLeg]
  via: 'en' | null
}

/** The models with which an engine translates: see EngineModels. */
export interface TranslationModels {
  requireTranslation(pair?: string): TranslationModel
  /** Models chosen for a pair such as `ps-en`. */
  translationByPair: Record<string, TranslationModel>
}

/** Chooses the models of a job, only one of which is loaded at a time. */
export interface TranslationRouter {
  /** @throws AppError `unsupported_pair` if no model supports the languages, `model_unavailable` if the one that would is broken */
  route(pair: LanguagePair): Route
  /** Loads a model in place of the previous one. */
  use(model: TranslationModel): Promise<Translator>
  /** The model for all pairs for which none was chosen; undefined if it cannot be used. */
  mainModel: TranslationModel | undefined
}

/** Creates a router that uses the model in `models` for each pair. */
export function createTranslationRouter(
  models: TranslationModels,
  use: (model: TranslationModel) => Promise<Translator>,
): TranslationRouter {
  return { use, mainModel: findMain(models).model, route: (pair) => requireRoute(models, pair) }
}

/** Whether a job has a router, or one translator for everything. */
export function isTranslationRouter(source: Translator | TranslationRouter): source is TranslationRouter {
  return 'route' in source
}

/** @throws AppError `unsupported_pair` or `model_unavailable` if no model translates the pair */
export function assertTranslatable(source: Translator | TranslationRouter, pair: LanguagePair): void {
  if (needsNoTranslation(pair)) return
  if (isTranslationRouter(source)) source.route(pair)
  else requirePair(source.model, pair)
}

/** Returns the model of the last leg of a pair, as far as it is known in advance. */
export function findFinalModel(
  source: Translator | TranslationRouter,
  pair: LanguagePair,
): TranslationModel | undefined {
  if (!isTranslationRouter(source)) return source.model
  return needsNoTranslation(pair) ? source.mainModel : source.route(pair).legs.at(-1)?.model
}

/**
 * Returns the route of a pair: the model chosen for it, or else the main model, any model that supports both languages, or two models with
 * English as the pivot, in this order. Undefined if there is none.
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

/** A broken model that was chosen for a pair is not silently replaced by another. */
function assertOwnModelWorks(models: TranslationModels, pair: LanguagePair): void {
  if (findMain(models).model) models.requireTranslation(keyOf(pair))
}

function findDirect(models: TranslationModels, pair: LanguagePair): RouteLeg | undefined {
  const candidates = [
    models.translationByPair[keyOf(pair)],
    findMain(models).model,
    ...Object.values(models.translationByPair),
  ]
  const model = candidates.find((candidate) => candidate && supports(candidate, pair))
  return model && { model, pair }
}

function supports({ languages }: TranslationModel, { source, target }: LanguagePair): boolean {
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
