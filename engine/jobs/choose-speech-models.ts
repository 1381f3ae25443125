import { isDetection, transcriptionLanguages } from '#contract/languages.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import { isRemote } from '#engine/models/model-entry.ts'
import { pinModel } from '#engine/models/pin-model.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { TranscribeOptions } from '#engine/speech/transcribe.ts'
import type { JobContext } from './job-task.ts'

type SpeechModels = Pick<TranscribeOptions, 'model' | 'modelsByLanguage' | 'languageErrors'>

/**
 * Returns the models that recordings in these languages may need, or the one that a person chose, pinned to the weights they have now.
 *
 * @throws AppError `model_unavailable` with the problem of a requested language's model, or of the one that detects languages;
 *   `unsupported_language` where the chosen model does not know a language
 */
export async function chooseSpeechModels(
  { models, modelsDir }: Pick<JobContext, 'models' | 'modelsDir'>,
  { languages, chosenModel }: { languages: readonly TranscriptionLanguageChoice[]; chosenModel: string | null },
  signal: AbortSignal,
): Promise<SpeechModels> {
  const pin = <Model extends SpeechModels['model']>(model: Model) => pinModel(model, { modelsDir, signal })
  if (chosenModel !== null) {
    const chosen = models.requireInstalledSpeech(chosenModel, languages)
    if (!isRemote(chosen)) await verifyModel(chosen, { modelsDir, signal })
    return { model: await pin(chosen), modelsByLanguage: {}, languageErrors: {} }
  }
  const [first = 'auto'] = languages.toSorted((a, b) => Number(isDetection(b)) - Number(isDetection(a)))
  const model = await pin(models.requireSpeech(first))
  const possible: readonly TranscriptionLanguageChoice[] = languages.some(isDetection)
    ? transcriptionLanguages
    : languages
  const modelsByLanguage: Record<string, SpeechModels['model']> = {}
  for (const language of possible) {
    const own = languages.includes(language) ? models.requireSpeech(language) : models.speechByLanguage[language]
    if (own) modelsByLanguage[language] = await pin(own)
  }
  return { model, modelsByLanguage, languageErrors: models.speechErrors }
}
