import type { Config } from '#data/config.ts'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'

export interface ActiveModels {
  speech: SpeechModel
  /** Models that an operator chose for one language, by its code. */
  speechByLanguage: Record<string, SpeechModel>
  translation: TranslationModel
}

const demoSpeech = 'demo-speech'
const demoTranslator = 'demo-translator'

/**
 * The models this installation uses: those the configuration names, else the demo models.
 * @throws AppError `model_unavailable` naming the variable's value when no catalogue knows it
 */
export async function chooseModels(
  config: Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'>,
): Promise<ActiveModels> {
  const { modelsDir } = config
  const byLanguage = Object.entries(config.speechModelByLanguage).map(
    async ([language, id]) => [language, await findSpeechModel(id, modelsDir)] as const,
  )
  return {
    speech: await findSpeechModel(config.speechModel ?? demoSpeech, modelsDir),
    speechByLanguage: Object.fromEntries(await Promise.all(byLanguage)),
    translation: await findTranslationModel(config.translationModel ?? demoTranslator, modelsDir),
  }
}
