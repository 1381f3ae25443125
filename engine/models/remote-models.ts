import { transcriptionLanguages } from '#contract/languages.ts'
import { remoteModelId } from '#data/remote-servers.ts'
import type { SpeechServerSettings, TranslationServerSettings } from '#data/remote-servers.ts'
import { SpeechModelEntry, TranslationModelEntry } from './model-entry.ts'
import type { SpeechModel, TranslationModel } from './model-entry.ts'

/** Returns the models of transcription servers as catalog entries, with all languages of the product. */
export function remoteModels(settings: SpeechServerSettings): {
  speech: SpeechModel
  speechByLanguage: Record<string, SpeechModel>
} {
  const byLanguage = Object.entries(settings.modelByLanguage)
  return {
    speech: toModel(settings.model),
    speechByLanguage: Object.fromEntries(byLanguage.map(([language, name]) => [language, toModel(name)] as const)),
  }
}

/** Returns the models of translation servers as catalog entries. */
export function remoteTranslationModels(settings: TranslationServerSettings): {
  translation: TranslationModel
  translationByPair: Record<string, TranslationModel>
} {
  const { model, languages, modelByPair, form } = settings
  const byPair = Object.entries(modelByPair).map(
    ([pair, name]) => [pair, toTranslationModel(name, { languages: pair.split('-'), form })] as const,
  )
  return {
    translation: toTranslationModel(model, { languages, form }),
    translationByPair: Object.fromEntries(byPair),
  }
}

function toTranslationModel(
  remoteName: string,
  { languages, form }: Pick<TranslationServerSettings, 'languages' | 'form'>,
): TranslationModel {
  const entry = TranslationModelEntry.parse({
    kind: 'translation',
    id: remoteModelId(remoteName),
    name: remoteName,
    remoteName,
    ...noFile,
    profile: { form },
    languages,
  })
  return { ...entry, path: '' }
}

const noFile = { file: null, url: null, sizeBytes: null, sha256: null, sha1: null, licence: 'that of the servers' }

function toModel(remoteName: string): SpeechModel {
  const entry = SpeechModelEntry.parse({
    kind: 'speech',
    id: remoteModelId(remoteName),
    name: remoteName,
    remoteName,
    ...noFile,
    // Servers handle the temperature fallback themselves, as OpenAI's Whisper does.
    decoding: { temperatureStep: 0.2 },
    languages: [...transcriptionLanguages],
  })
  return { ...entry, path: '' }
}
