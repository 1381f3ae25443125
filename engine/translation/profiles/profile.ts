import type { TranslationModel, TranslationProfile } from '#engine/models/model-entry.ts'
import type { Sampling, TranslationRequest } from './request.ts'

type Form = TranslationProfile['form']

/** A profile with the defaults of its form. */
export type ResolvedProfile = TranslationProfile & Required<Pick<TranslationProfile, 'stop' | 'contextLines' | 'batch'>>

const plainText = { stop: [], contextLines: 0, batch: false }

const defaults: Record<Form, Pick<ResolvedProfile, 'stop' | 'contextLines' | 'batch'> & Partial<ResolvedProfile>> = {
  chat: { stop: [], contextLines: 3, batch: false },
  plain: plainText,
  // A pretrained model continues with another example after the end of the line.
  completion: { ...plainText, stop: ['\n'] },
  translategemma: plainText,
  // What the model's authors recommend.
  'hy-mt': { ...plainText, contextLines: 3, temperature: 0.7, topP: 0.6, topK: 20, repeatPenalty: 1.05 },
}

/** Returns the profile of a model's catalog entry, `chat` by default, with the defaults of its form. */
export function resolveProfile({ profile = { form: 'chat' } }: Pick<TranslationModel, 'profile'>): ResolvedProfile {
  const form = defaults[profile.form]
  return { ...form, ...profile, stop: [...form.stop, ...(profile.stop ?? [])] }
}

/** Fixed, so that every machine samples the same translation. */
const seed = 7

/** A retry samples less likely tokens; otherwise it would repeat the first completion. */
const retryTemperature = 0.5

export function samplingFor(
  profile: ResolvedProfile,
  { isRetry = false, seedOffset = 0 }: Pick<TranslationRequest, 'isRetry' | 'seedOffset'>,
): Sampling {
  const { temperature = 0, topP = 0.95, topK = 40, repeatPenalty = profile.form === 'plain' ? undefined : 1 } = profile
  if (!isRetry) return { temperature, topP, topK, repeatPenalty, seed }
  return {
    temperature: Math.max(temperature, retryTemperature),
    topP,
    topK,
    repeatPenalty: Math.max(repeatPenalty ?? 1, 1.1),
    seed: seed + 1 + seedOffset,
  }
}
