import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { Config } from '#data/config.ts'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import { readChoices } from './choices.ts'
import type { ModelChoices } from './choices.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from './model-entry.ts'
import { remoteModels, remoteTranslationModels } from './remote-models.ts'

export interface ActiveModels {
  speech: SpeechModel
  /** Models that an operator chose for one language, by its code. */
  speechByLanguage: Record<string, SpeechModel>
  translation: TranslationModel
  /** Models that an operator chose for one pair of languages, such as `ps-en`. */
  translationByPair: Record<string, TranslationModel>
}

const demoSpeech = 'demo-speech'
const demoTranslator = 'demo-translator'

type ModelConfig = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
  Partial<Pick<Config, 'translationModelByPair'>>

/**
 * Returns the ids of the models that this installation uses: those that the environment names, else those that were chosen
 * (choices.ts), else the demo models. A model for one language or pair wins over a general one, whoever named it.
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
 * The models this installation uses: see chooseModelIds; those of the transcription and translation servers where there are any.
 * @throws AppError `model_unavailable` naming the id that no catalogue knows, or the language that a model does not
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
    speech: await findSpeechModel(ids.speech, modelsDir),
    speechByLanguage: await findEach(ids.speechByLanguage, (code, id) => findLanguageModel(code, id, modelsDir)),
    ...translation,
  }
}

/**
 * The speech model of that id for one language.
 *
 * @throws AppError `model_unavailable` as findSpeechModel does, and where the model does not know the language
 */
export async function findLanguageModel(language: string, id: string, modelsDir?: string): Promise<SpeechModel> {
  const model = await findSpeechModel(id, modelsDir)
  assertKnows(model, [language])
  return model
}

/** The translation model of that id for a pair such as `ps-en`; fails as findLanguageModel does. */
export async function findPairModel(pair: string, id: string, modelsDir?: string): Promise<TranslationModel> {
  const model = await findTranslationModel(id, modelsDir)
  assertKnows(model, pair.split('-'))
  return model
}

function assertKnows(model: ModelEntry, languages: string[]): void {
  const missing = languages.find((code) => !model.languages.includes(code))
  if (missing === undefined) return
  const known = model.languages.map((code) => describeLanguage(code).name).join(', ')
  throw new AppError(
    'model_unavailable',
    `The model ${model.name} does not know ${describeLanguage(missing).name}. It knows ${known}.`,
    { help: 'Choose another model for it: npm run awaz -- models list shows which know it.' },
  )
}

async function findEach<Model>(
  ids: Record<string, string>,
  find: (key: string, id: string) => Promise<Model>,
): Promise<Record<string, Model>> {
  const found = Object.entries(ids).map(async ([key, id]) => [key, await find(key, id)] as const)
  return Object.fromEntries(await Promise.all(found))
}
