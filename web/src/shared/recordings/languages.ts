import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { describeLanguage, transcriptionLanguages } from '#contract/languages.ts'
import type { InstalledSpeechModel } from '#contract/versions.ts'
import { call } from '../api/client.ts'

/** Used when the server gives none (audio-workflow specification, section 9). */
const builtInTranscription = namesOf(transcriptionLanguages)
const builtInTranslation = namesOf(['en', 'ur'])

function namesOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, describeLanguage(code).name]))
}

const noModels: InstalledSpeechModel[] = []

/** Languages by code, and what the active models can do with them; `features` is undefined until the server has answered. */
export function useLanguages() {
  const { data } = useQuery({ queryKey: ['languages'], queryFn: () => call(system.languages), staleTime: 60_000 })
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

/** `Pashto` of `ps`. */
export function languageName(code: string): string {
  return describeLanguage(code).name
}
