import { transcriptionLanguages } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { pinModel } from '#engine/models/pin-model.ts'
import type { TranscribeOptions } from '#engine/speech/transcribe.ts'
import type { JobContext } from './job-task.ts'

type SpeechModels = Pick<TranscribeOptions, 'model' | 'modelsByLanguage' | 'languageErrors'>

/**
 * Returns the models that recordings in these languages may need, pinned to the weights they have now.
 *
 * @throws AppError `model_unavailable` with the problem of a requested language's model, or of the one that detects languages
 */
export async function chooseSpeechModels(
  { models, modelsDir }: Pick<JobContext, 'models' | 'modelsDir'>,
  languages: readonly TranscriptionLanguageChoice[],
  signal: AbortSignal,
): Promise<SpeechModels> {
  const pin = <Model extends SpeechModels['model']>(model: Model) => pinModel(model, { modelsDir, signal })
  const [first = 'auto'] = languages.toSorted((a, b) => Number(isDetected(b)) - Number(isDetected(a)))
  const model = await pin(models.requireSpeech(first))
  const possible: readonly TranscriptionLanguageChoice[] = languages.some(isDetected)
    ? transcriptionLanguages
    : languages
  const modelsByLanguage: Record<string, SpeechModels['model']> = {}
  for (const language of possible) {
    const own = languages.includes(language) ? models.requireSpeech(language) : models.speechByLanguage[language]
    if (own) modelsByLanguage[language] = await pin(own)
  }
  return { model, modelsByLanguage, languageErrors: models.speechErrors }
}

function isDetected(language: TranscriptionLanguageChoice): boolean {
  return language === 'auto' || language === 'multi'
}
