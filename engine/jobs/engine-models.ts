import { AppError } from '#contract/app-error.ts'
import { isDetection, isTranslationLanguage, transcriptionLanguages } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { sherpaFamilies } from '#engine/models/sherpa-families.ts'
import { assertSupportsLanguage } from '#engine/speech/channel-plan.ts'
import { findRoute } from '#engine/translation/translation-router.ts'
import type { TranslationModels } from '#engine/translation/translation-router.ts'
import type { CheckedModel } from './check-model.ts'
import type { CheckedModels } from './check-models.ts'

/**
 * The models that this engine uses, as of the last check (see watch-models.ts). A model that is broken, missing, of the wrong kind or
 * without a requested language makes only its own languages or pairs unavailable.
 */
export interface EngineModels {
  /**
   * Returns the model that transcribes a language; for `auto` and `multi`, the model that detects languages.
   *
   * @throws AppError `model_unavailable` with the problem of that model
   */
  requireSpeech(language: TranscriptionLanguageChoice): SpeechModel
  /**
   * Returns an installed speech model that was chosen for a recording in these languages; its hash has not been checked yet.
   *
   * @throws AppError `model_unavailable` if it is not installed, `unsupported_language` if it does not support one of the languages
   */
  requireInstalledSpeech(id: string, languages: readonly TranscriptionLanguageChoice[]): SpeechModel
  /** Usable models for single languages, by code. */
  speechByLanguage: Record<string, SpeechModel>
  /** Problems of models for single languages, by code. No other model stands in: its text would be attributed to the wrong model. */
  speechErrors: Record<string, AppError>
  /**
   * Returns the model that translates a pair such as `ps-en`, or all pairs for which none was chosen.
   *
   * @throws AppError `model_unavailable` with the problem of that model
   */
  requireTranslation(pair?: string): TranslationModel
  /** Usable models for single pairs, by pair. */
  translationByPair: Record<string, TranslationModel>
  features: EngineFeatures
}

/** Decides which use each checked model has. */
export function toEngineModels(checked: CheckedModels): EngineModels {
  const { speech, speechByLanguage, translation, translationByPair } = checked
  const translationModels: TranslationModels = {
    requireTranslation: (pair) => requireModel((pair !== undefined && translationByPair[pair]) || translation),
    translationByPair: usable(translationByPair),
  }
  return {
    requireSpeech: (language) => requireModel(speechByLanguage[language] ?? speech),
    requireInstalledSpeech: (id, languages) => requireInstalled(checked.installedSpeech, id, languages),
    speechByLanguage: usable(speechByLanguage),
    speechErrors: publicErrors(speechByLanguage),
    ...translationModels,
    features: {
      ...speechFeatures(checked),
      ...translationFeatures(checked, translationModels),
      models: listChecked(checked).map(({ health }) => health),
      speech_models: checked.installedSpeech.map(presentInstalled),
    },
  }
}

/** Returns all uses of models, with the general use of each kind first. */
export function listChecked({
  speech,
  speechByLanguage,
  translation,
  translationByPair,
}: CheckedModels): CheckedModel<SpeechModel | TranslationModel>[] {
  return [speech, ...Object.values(speechByLanguage), translation, ...Object.values(translationByPair)]
}

function requireModel<Model>(checked: CheckedModel<Model>): Model {
  const { model, error } = checked
  if (error || !model) throw publicError(checked) ?? new Error('A usable model has a catalogue entry')
  return model
}

function requireInstalled(
  installed: SpeechModel[],
  id: string,
  languages: readonly TranscriptionLanguageChoice[],
): SpeechModel {
  const model = installed.find((candidate) => candidate.id === id)
  if (!model) {
    throw new AppError('model_unavailable', `The speech model "${id}" is not installed`, {
      help: 'Choose another model, or ask an administrator to install it.',
    })
  }
  for (const language of languages) if (!isDetection(language)) assertSupportsLanguage(model, language)
  return model
}

function presentInstalled(model: SpeechModel): EngineFeatures['speech_models'][number] {
  const { id, name, languages } = model
  return {
    id,
    name,
    languages: transcriptionLanguages.filter((code) => languages.includes(code)),
    detects_languages: canDetectLanguages(model),
  }
}

/** Returns the error in the form that users may see: without the folders of this installation, which only the log contains. */
function publicError({ error, health }: CheckedModel<unknown>): AppError | undefined {
  return error && new AppError(error.code, health.problem ?? error.message, { help: error.help, cause: error })
}

function usable<Model>(models: Record<string, CheckedModel<Model>>): Record<string, Model> {
  const found = Object.entries(models).flatMap(([key, { model, error }]) =>
    model && !error ? [[key, model] as const] : [],
  )
  return Object.fromEntries(found)
}

function publicErrors(models: Record<string, CheckedModel<unknown>>): Record<string, AppError> {
  const found = Object.entries(models).flatMap(([key, checked]) => {
    const error = publicError(checked)
    return error ? [[key, error] as const] : []
  })
  return Object.fromEntries(found)
}

function speechFeatures({ speech, speechByLanguage }: CheckedModels) {
  const main = speech.error ? undefined : speech.model
  const own = usable(speechByLanguage)
  const first = main ?? Object.values(own)[0]
  const known = new Set([...(main?.languages ?? []), ...Object.keys(own)])
  const broken = publicErrors(speechByLanguage)
  return {
    speech: first ? present(first) : null,
    transcription: transcriptionLanguages.filter((code) => known.has(code) && !broken[code]),
    diarization: first !== undefined,
    language_detection: main !== undefined && canDetectLanguages(main),
  }
}

function canDetectLanguages({ sherpa }: SpeechModel): boolean {
  return sherpa === null || sherpaFamilies[sherpa.family].hasLanguageDetection
}

/** Offers a language if one model, or two with English as the pivot, can translate it from or to any other. */
function translationFeatures({ translation, translationByPair }: CheckedModels, models: TranslationModels) {
  const main = translation.error ? undefined : translation.model
  const usable = [...(main ? [main] : []), ...Object.values(models.translationByPair)]
  const known = [...new Set(usable.flatMap(({ languages }) => languages))].filter(isTranslationLanguage)
  const broken = publicErrors(translationByPair)
  const others = (code: string) => known.filter((other) => other !== code)
  const isPossible = (source: string, target: string) =>
    !broken[`${source}-${target}`] && findRoute(models, { source, target }) !== undefined
  const [first] = usable
  return {
    translation: first ? present(first) : null,
    translation_sources: known.filter((source) => others(source).some((target) => isPossible(source, target))),
    translation_targets: known.filter((target) => others(target).some((source) => isPossible(source, target))),
  }
}

function present({ id, name, isDemo, languages }: ModelEntry) {
  return { id, name, is_demo: isDemo, languages }
}
