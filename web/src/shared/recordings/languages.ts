import { useQuery } from '@tanstack/react-query'
import type { Response } from '#contract/endpoint.ts'
import { system } from '#contract/endpoints/system.ts'
import { isTranslationLanguage, languageName, transcriptionLanguages } from '#contract/languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'
import type { InstalledSpeechModel } from '#contract/versions.ts'
import { call } from '../api/client.ts'

export { languageName } from '#contract/languages.ts'

/** Used if the server provides none (audio-workflow specification, section 9). */
const builtInTranscription = namesOf(transcriptionLanguages)
const builtInTranslation = namesOf(['en', 'ur'])

function namesOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, languageName(code)]))
}

const noModels: InstalledSpeechModel[] = []

/** Returns languages by code, and what the active models can do with them; `features` is undefined until the server has answered. */
export function useLanguages() {
  const { data } = useQuery({
    queryKey: ['languages'],
    queryFn: () => call(system.languages),
    staleTime: 60_000,
    select: translateNames,
  })
  return {
    transcription: withFallback(data?.transcription_languages, builtInTranscription),
    translation: withFallback(data?.translation_languages, builtInTranslation),
    features: data?.features,
    /** The speech models to choose from; empty while no engine is live. */
    models: data?.transcription_models ?? noModels,
  }
}

function withFallback(given: Record<string, string> | undefined, builtIn: Record<string, string>) {
  return given && Object.keys(given).length > 0 ? given : builtIn
}

/** Translates the names of languages, which the server sends in English. */
function translateNames(languages: Response<typeof system.languages>): Response<typeof system.languages> {
  if (currentLanguage() === 'en') return languages
  return {
    ...languages,
    transcription_languages: translateEach(languages.transcription_languages),
    translation_languages: translateEach(languages.translation_languages),
  }
}

function translateEach(names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([code, name]) => [code, isTranslationLanguage(code) ? languageName(code) : name]),
  )
}
