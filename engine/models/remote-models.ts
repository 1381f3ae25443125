import { transcriptionLanguages } from '#contract/languages.ts'
import { remoteModelId } from '#data/remote-servers.ts'
import type { SpeechServerSettings } from '#data/remote-servers.ts'
import { SpeechModelEntry } from './model-entry.ts'
import type { SpeechModel } from './model-entry.ts'

/** The models of transcription servers, as entries like those of the catalogue: whatever the product offers is asked of them. */
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

function toModel(remoteName: string): SpeechModel {
  const entry = SpeechModelEntry.parse({
    kind: 'speech',
    id: remoteModelId(remoteName),
    name: remoteName,
    remoteName,
    file: null,
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'that of the servers',
    // Servers repeat what failed at higher temperatures by themselves, as OpenAI's Whisper does.
    decoding: { temperatureStep: 0.2 },
    languages: [...transcriptionLanguages],
  })
  return { ...entry, path: '' }
}
