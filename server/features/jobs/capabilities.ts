import { AppError } from '#contract/app-error.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { describeLanguage, isDetection, isTranslationLanguage } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { awazCommand } from '#data/awaz-command.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { knowsLanguage, type EngineFeatures } from '#data/engines/engine-features.ts'
import { readFeatures } from '#data/engines/engines.ts'

/**
 * Throws `unsupported_language` or `model_unavailable` for a transcription that the active models, or the chosen one, cannot do, before it
 * is queued. While no engine is live, nothing is known and nothing refused: the engine that takes the job decides.
 */
export async function assertCanTranscribe(
  connection: DatabaseConnection,
  languages: TranscriptionLanguageChoice[],
  chosenModel: string | null,
): Promise<void> {
  const features = await readFeatures(connection)
  if (!features) return
  if (chosenModel !== null) return assertModelCanTranscribe(features, languages, chosenModel)
  const { speech, models, transcription: known } = features
  if (!speech) throw noModel('speech', models)
  const impossible = languages.find((code) =>
    isDetection(code) ? !features.language_detection : !known.includes(code),
  )
  if (!impossible) return
  const general = models.find(({ kind }) => kind === 'speech')
  const own = models.find(
    ({ kind, languages: served, problem }) => kind === 'speech' && problem && served.includes(impossible),
  )
  assertUsable(isDetection(impossible) ? general : own)
  throw new AppError('unsupported_language', `The active speech model cannot ${describeTask(impossible)}`, {
    help: `It knows ${listNames(known)}. An administrator can install other models.`,
  })
}

/** Throws `model_unavailable` if no live engine has the chosen model, `unsupported_language` if the model does not support a language. */
function assertModelCanTranscribe(
  { speech_models: models }: EngineFeatures,
  languages: TranscriptionLanguageChoice[],
  id: string,
): void {
  const model = models.find((candidate) => candidate.id === id)
  if (!model) {
    throw new AppError('model_unavailable', `The speech model "${id}" is not installed`, {
      help: 'GET /api/languages lists the installed models. An administrator can install others.',
    })
  }
  const impossible = languages.find((language) => !knowsLanguage(model, language))
  if (impossible === undefined) return
  throw new AppError('unsupported_language', `The model ${model.name} cannot ${describeTask(impossible)}`, {
    help: `It knows ${listNames(model.languages)}. Choose another model or another language.`,
  })
}

/** Throws `unsupported_pair` or `model_unavailable` for languages that the active models cannot translate; `source` may be `auto`. */
export async function assertCanTranslate(
  connection: DatabaseConnection,
  source: string,
  target: string,
): Promise<void> {
  const unknown = [source, target].find((code) => code !== 'auto' && !isTranslationLanguage(code))
  if (unknown)
    throw new AppError('unsupported_pair', `${unknown} is not a language offered for translation`, {
      help: seeLanguages,
    })
  const name = describeLanguage(target).name
  if (source === target) {
    throw new AppError('unsupported_pair', `The text is in ${name} already`, {
      help: 'Choose another language to translate to.',
    })
  }
  const features = await readFeatures(connection)
  if (!features) return
  const { translation, models } = features
  assertUsable(models.find(({ pairs }) => pairs.includes(`${source}-${target}`)))
  if (!translation) throw noModel('translation', models)
  const canRead = source === 'auto' || features.translation_sources.includes(source)
  if (canRead && features.translation_targets.includes(target)) return
  assertUsable(models.find(({ kind, pairs }) => kind === 'translation' && pairs.length === 0))
  const from = source === 'auto' ? '' : ` from ${describeLanguage(source).name}`
  throw new AppError('unsupported_pair', `The active translation model cannot translate${from} to ${name}`, {
    help: `It translates to ${listNames(features.translation_targets)}. An administrator can install other models.`,
  })
}

function describeTask(language: TranscriptionLanguageChoice): string {
  return isDetection(language) ? 'tell languages apart' : `transcribe ${describeLanguage(language).name}`
}

const seeLanguages = 'GET /api/languages lists the languages.'

/** Throws `model_unavailable` with the model's problem, if it has one. */
function assertUsable(model: ModelHealth | undefined): void {
  if (!model?.problem) return
  throw new AppError('model_unavailable', model.problem, {
    help: `An administrator finds what to do under System, Models, or with: ${awazCommand} models list`,
  })
}

/** Returns the error for a missing model of a kind. If a model is installed but broken, throws its problem instead. */
function noModel(kind: ModelHealth['kind'], models: ModelHealth[]) {
  assertUsable(models.find((model) => model.kind === kind && model.problem))
  return new AppError('model_unavailable', `No ${kind} model is installed`, {
    help: `An administrator can install one with: ${awazCommand} models list`,
  })
}

function listNames(codes: string[]): string {
  return new Intl.ListFormat('en').format(codes.map((code) => describeLanguage(code).name))
}
