import type { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { Channel, ChannelPlan } from './channel-plan.ts'
import type { SpeechBackendCache } from './speech-backend-cache.ts'
import type { WindowResult } from './window-result.ts'

export interface PlanContext {
  decoded: DecodedAudio
  backends: SpeechBackendCache
  /** Finished windows of an earlier attempt, by key. */
  saved: Map<string, WindowResult>
  model: SpeechModel
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  /** By language code, why a language that may be detected cannot be transcribed. */
  languageErrors?: Partial<Record<string, AppError>>
  prompt?: string
  signal?: AbortSignal
}

/** Returns the model for a language. Throws the error of that model if it cannot be used: no other model replaces it. */
export function modelFor(language: string, { model, modelsByLanguage, languageErrors }: PlanContext): SpeechModel {
  const error = languageErrors?.[language]
  if (error) throw error
  return modelsByLanguage?.[language] ?? model
}

/** Plans a channel without speech. */
export function planSilent(channel: Channel): ChannelPlan {
  return { ...channel, language: null, languageProbability: null, otherLanguages: [], windows: [] }
}
