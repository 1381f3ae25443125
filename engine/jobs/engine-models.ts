import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import { isTranslationLanguage, transcriptionLanguages } from '#contract/languages.ts'
import type { Config } from '#data/config.ts'
import type { EngineFeatures } from '#data/queue/engine-features.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { sherpaFamilies } from '#engine/models/sherpa-families.ts'
import { verifyModel } from '#engine/models/verify.ts'

type ModelConfig = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
  Partial<Pick<Config, 'speechServers'>>

/** The models this engine works with. One that is missing or damaged leaves the other kind working. */
export interface EngineModels {
  /** Throws `model_unavailable` with what is wrong. */
  requireSpeech: () => SpeechModel
  speechByLanguage: Record<string, SpeechModel>
  /** Throws `model_unavailable` with what is wrong. */
  requireTranslation: () => TranslationModel
  features: EngineFeatures
}

/** Finds and checks the configured models. What is wrong with one is logged, and is the answer to who asks for it. */
export async function loadEngineModels(config: ModelConfig, log: Logger): Promise<EngineModels> {
  const speech = await attempt(log, async () => {
    const { speech, speechByLanguage } = await chooseModels({ ...config, translationModel: undefined })
    const models = [speech, ...Object.values(speechByLanguage)]
    for (const model of models.filter(({ remoteName }) => remoteName === undefined)) await verifyModel(model)
    return { main: speech, byLanguage: speechByLanguage }
  })
  const translation = await attempt(log, async () => {
    const { translation } = await chooseModels({ ...config, speechModel: undefined, speechModelByLanguage: {} })
    await verifyModel(translation)
    return translation
  })
  return {
    requireSpeech: () => valueOf(speech).main,
    speechByLanguage: 'value' in speech ? speech.value.byLanguage : {},
    requireTranslation: () => valueOf(translation),
    features: {
      ...speechFeatures('value' in speech ? speech.value : null),
      ...translationFeatures('value' in translation ? translation.value : null),
    },
  }
}

type Attempt<Value> = { value: Value } | { error: AppError }

async function attempt<Value>(log: Logger, find: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await find() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.error({ err: error, help: error.help }, error.message)
    return { error }
  }
}

function valueOf<Value>(attempt: Attempt<Value>): Value {
  if ('error' in attempt) throw attempt.error
  return attempt.value
}

function speechFeatures(models: { main: SpeechModel; byLanguage: Record<string, SpeechModel> } | null) {
  const known = models ? new Set([...models.main.languages, ...Object.keys(models.byLanguage)]) : new Set<string>()
  return {
    speech: models && present(models.main),
    transcription: transcriptionLanguages.filter((code) => known.has(code)),
    diarization: models !== null,
    language_detection: models !== null && canDetectLanguages(models.main),
  }
}

function canDetectLanguages({ sherpa }: SpeechModel): boolean {
  return sherpa === null || sherpaFamilies[sherpa.family].hasLanguageDetection
}

function translationFeatures(model: TranslationModel | null) {
  const languages = model ? model.languages.filter(isTranslationLanguage) : []
  return {
    translation: model && present(model),
    translation_sources: languages,
    translation_targets: languages,
  }
}

function present({ id, name, isDemo, languages }: ModelEntry) {
  return { id, name, is_demo: isDemo, languages }
}
