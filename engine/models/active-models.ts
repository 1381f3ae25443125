import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import { awazCommand } from '#data/awaz-command.ts'
import type { Config } from '#data/config.ts'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import { readChoices } from './choices.ts'
import type { ModelChoices } from './choices.ts'
import { findRunningForm } from './forms.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from './model-entry.ts'
import { remoteModels, remoteTranslationModels } from './remote-models.ts'

export interface ActiveModels {
  speech: SpeechModel
  /** Models chosen for single languages, by code. */
  speechByLanguage: Record<string, SpeechModel>
  translation: TranslationModel
  /** Models chosen for single pairs of languages, such as `ps-en`. */
  translationByPair: Record<string, TranslationModel>
}

const demoSpeech = 'demo-speech'
const demoTranslator = 'demo-translator'

type ModelConfig = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
  Partial<Pick<Config, 'translationModelByPair'>>

/**
 * Returns the ids of the models in use: those set in the environment, or else those that were chosen (choices.ts), or else the demo models.
 * A model for one language or pair takes precedence over a general one, wherever either is set.
 */
export async function chooseModelIds(config: ModelConfig): Promise<Required<ModelChoices>> {
  const choices = await readChoices(config.modelsDir)
  return {
    speech: config.speechModel ?? choices.speech ?? demoSpeech,
    speechByLanguage: { ...choices.speechByLanguage, ...config.speechModelByLanguage },
    translation: config.translationModel ?? choices.translation ?? demoTranslator,
    translationByPair: { ...choices.translationByPair, ...config.translationModelByPair },
  }
}

/**
 * Returns the models in use: see chooseModelIds, and forms.ts for which form of a speech model runs. Where transcription and translation
 * servers are configured, their models are used.
 *
 * @throws AppError `model_unavailable` for an unknown id, or a language that a model does not support
 */
export async function chooseModels(
  config: ModelConfig & Partial<Pick<Config, 'speechServers' | 'translationServers'>>,
): Promise<ActiveModels> {
  const { modelsDir, speechServers, translationServers } = config
  const ids = await chooseModelIds(config)
  const translation = translationServers
    ? remoteTranslationModels(translationServers)
    : {
        translation: await findTranslationModel(ids.translation, modelsDir),
        translationByPair: await findEach(ids.translationByPair, (pair, id) => findPairModel(pair, id, modelsDir)),
      }
  if (speechServers) return { ...remoteModels(speechServers), ...translation }
  return {
    speech: await findRunningForm(await findSpeechModel(ids.speech, modelsDir), modelsDir),
    speechByLanguage: await findEach(ids.speechByLanguage, async (code, id) =>
      findRunningForm(await findLanguageModel(code, id, modelsDir), modelsDir),
    ),
    ...translation,
  }
}

/**
 * Returns the speech model with this id for one language.
 *
 * @throws AppError `model_unavailable` as findSpeechModel does, and if the model does not support the language
 */
export async function findLanguageModel(language: string, id: string, modelsDir?: string): Promise<SpeechModel> {
  const model = await findSpeechModel(id, modelsDir)
  assertSupports(model, [language])
  return model
}

/** Returns the translation model with this id for a pair such as `ps-en`; throws as findLanguageModel does. */
export async function findPairModel(pair: string, id: string, modelsDir?: string): Promise<TranslationModel> {
  const model = await findTranslationModel(id, modelsDir)
  assertSupports(model, pair.split('-'))
  return model
}

function assertSupports(model: ModelEntry, languages: string[]): void {
  const missing = languages.find((code) => !model.languages.includes(code))
  if (missing === undefined) return
  const known = model.languages.map((code) => describeLanguage(code).name).join(', ')
  throw new AppError(
    'model_unavailable',
    `The model ${model.name} does not know ${describeLanguage(missing).name}. It knows ${known}.`,
    { help: `Choose another model for it: ${awazCommand} models list shows which know it.` },
  )
}

async function findEach<Model>(
  ids: Record<string, string>,
  find: (key: string, id: string) => Promise<Model>,
): Promise<Record<string, Model>> {
  const found = Object.entries(ids).map(async ([key, id]) => [key, await find(key, id)] as const)
  return Object.fromEntries(await Promise.all(found))
}
