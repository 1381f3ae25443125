import { z } from 'zod'
import { api } from '#contract/api.ts'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { isDetection, type TranscriptionLanguageChoice } from '#contract/languages.ts'
import { InstalledSpeechModel } from '#contract/versions.ts'
import type { JobParams } from '../jobs/job-params.ts'
import { selectedLanguages } from '../jobs/work-keys.ts'

/** Capabilities of the active models: `features` in GET /api/languages, and the speech models to choose from. */
export const EngineFeatures = api.system.languages.response.shape.features.extend({
  speech_models: z.array(InstalledSpeechModel).default([]),
})
export type EngineFeatures = z.infer<typeof EngineFeatures>

/** Combines the capabilities of several engines. The models named are those of the first engine that has one. */
export function uniteFeatures([first, ...others]: [EngineFeatures, ...EngineFeatures[]]): EngineFeatures {
  return others.reduce(
    (all, one) => ({
      speech: all.speech ?? one.speech,
      translation: all.translation ?? one.translation,
      transcription: unite(all.transcription, one.transcription),
      translation_sources: unite(all.translation_sources, one.translation_sources),
      translation_targets: unite(all.translation_targets, one.translation_targets),
      diarization: all.diarization || one.diarization,
      language_detection: all.language_detection || one.language_detection,
      models: uniteModels(all.models, one.models),
      speech_models: uniteSpeechModels(all.speech_models, one.speech_models),
    }),
    first,
  )
}

/** Returns whether an engine with these features has the models for a job. Finding when each channel speaks needs none. */
export function canRunJob(features: EngineFeatures, params: JobParams): boolean {
  if (params.kind === 'translate') return canTranslate(features, params.sourceLanguage, params.targetLanguage)
  if (params.kind === 'diarize' && !params.hasText) return true
  const { model } = params
  if (model === null) return selectedLanguages(params).every((language) => canTranscribe(features, language))
  const chosen = features.speech_models.find(({ id }) => id === model)
  return chosen !== undefined && selectedLanguages(params).every((language) => knowsLanguage(chosen, language))
}

/** Returns whether a model transcribes a language, or detects languages if detection is requested. */
export function knowsLanguage(model: InstalledSpeechModel, language: TranscriptionLanguageChoice): boolean {
  return isDetection(language) ? model.detects_languages : model.languages.includes(language)
}

/** Returns whether recordings in this language, or in one to be detected, can be transcribed. */
function canTranscribe(features: EngineFeatures, language: TranscriptionLanguageChoice): boolean {
  if (!features.speech) return false
  return isDetection(language) ? features.language_detection : features.transcription.includes(language)
}

/** Returns whether `source`, which may be `auto`, can be translated to `target`. */
function canTranslate(features: EngineFeatures, source: string, target: string): boolean {
  if (!features.translation || !features.translation_targets.includes(target)) return false
  return source === 'auto' || features.translation_sources.includes(source)
}

/** A model that at least one engine can use has no problem. */
function uniteModels(some: ModelHealth[], others: ModelHealth[]): ModelHealth[] {
  const united = new Map(some.map((model) => [placeOf(model), model]))
  for (const model of others) {
    const known = united.get(placeOf(model))
    if (!known || (known.problem !== null && model.problem === null)) united.set(placeOf(model), model)
  }
  return [...united.values()]
}

/** Returns each model once, with the languages for which any engine can use it. */
function uniteSpeechModels(some: InstalledSpeechModel[], others: InstalledSpeechModel[]): InstalledSpeechModel[] {
  const united = new Map(some.map((model) => [model.id, model]))
  for (const model of others) {
    const known = united.get(model.id) ?? model
    united.set(model.id, {
      ...known,
      languages: unite(known.languages, model.languages),
      detects_languages: known.detects_languages || model.detects_languages,
    })
  }
  return [...united.values()]
}

function placeOf({ kind, id, languages, pairs }: ModelHealth): string {
  return [kind, id, languages.join('+'), pairs.join('+')].join(' ')
}

function unite(some: string[], others: string[]): string[] {
  return [...new Set([...some, ...others])]
}
