import type { Config } from '#data/config.ts'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import { readChoices } from './choices.ts'
import type { ModelChoices } from './choices.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'
import { remoteModels } from './remote-models.ts'

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

type ModelConfig = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'>

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
    translationByPair: choices.translationByPair,
  }
}

/**
 * The models this installation uses: see chooseModelIds; for speech those of the transcription servers where there are any.
 * @throws AppError `model_unavailable` naming the id that no catalogue knows
 */
export async function chooseModels(
  config: ModelConfig & Partial<Pick<Config, 'speechServers'>>,
): Promise<ActiveModels> {
  const { modelsDir, speechServers } = config
  const ids = await chooseModelIds(config)
  const translation = await findTranslationModel(ids.translation, modelsDir)
  const translationByPair = await findEach(ids.translationByPair, (id) => findTranslationModel(id, modelsDir))
  if (speechServers) return { ...remoteModels(speechServers), translation, translationByPair }
  return {
    speech: await findSpeechModel(ids.speech, modelsDir),
    speechByLanguage: await findEach(ids.speechByLanguage, (id) => findSpeechModel(id, modelsDir)),
    translation,
    translationByPair,
  }
}

async function findEach<Model>(
  ids: Record<string, string>,
  find: (id: string) => Promise<Model>,
): Promise<Record<string, Model>> {
  const found = Object.entries(ids).map(async ([key, id]) => [key, await find(id)] as const)
  return Object.fromEntries(await Promise.all(found))
}
