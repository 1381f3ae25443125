import type { Config } from '#data/config.ts'
import { findSpeechModel, findTranslationModel } from './catalog.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'
import { remoteModels } from './remote-models.ts'

export interface ActiveModels {
  speech: SpeechModel
  /** Models that an operator chose for one language, by its code. */
  speechByLanguage: Record<string, SpeechModel>
  translation: TranslationModel
}

const demoSpeech = 'demo-speech'
const demoTranslator = 'demo-translator'

/**
 * The models this installation uses: those the configuration names, else the demo models; for speech those of the transcription servers
 * where there are any.
 * @throws AppError `model_unavailable` naming the variable's value when no catalogue knows it
 */
export async function chooseModels(
  config: Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
    Partial<Pick<Config, 'speechServers'>>,
): Promise<ActiveModels> {
  const { modelsDir, speechServers } = config
  const translation = await findTranslationModel(config.translationModel ?? demoTranslator, modelsDir)
  if (speechServers) return { ...remoteModels(speechServers), translation }
  const byLanguage = Object.entries(config.speechModelByLanguage).map(
    async ([language, id]) => [language, await findSpeechModel(id, modelsDir)] as const,
  )
  return {
    speech: await findSpeechModel(config.speechModel ?? demoSpeech, modelsDir),
    speechByLanguage: Object.fromEntries(await Promise.all(byLanguage)),
    translation,
  }
}
