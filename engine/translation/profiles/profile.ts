import type { TranslationModel, TranslationProfile } from '#engine/models/model-entry.ts'
import type { Sampling, TranslationRequest } from './request.ts'

type Form = TranslationProfile['form']

/** A profile with the defaults of its form. */
export type ResolvedProfile = TranslationProfile & Required<Pick<TranslationProfile, 'stop' | 'contextLines' | 'batch'>>

const plainText = { stop: [], contextLines: 0, batch: false }

const defaults: Record<Form, Pick<ResolvedProfile, 'stop' | 'contextLines' | 'batch'> & Partial<ResolvedProfile>> = {
  chat: { stop: [], contextLines: 3, batch: false },
  plain: plainText,
  // Such a model goes on with another example after the line's end.
  completion: { ...plainText, stop: ['\n'] },
  translategemma: plainText,
  // What the model's authors recommend.
  'hy-mt': { ...plainText, contextLines: 3, temperature: 0.7, topP: 0.6, topK: 20, repeatPenalty: 1.05 },
}

/** How `model` is asked: its entry's profile, by default a chat. */
export function resolveProfile({ profile = { form: 'chat' } }: Pick<TranslationModel, 'profile'>): ResolvedProfile {
  const form = defaults[profile.form]
  return { ...form, ...profile, stop: [...form.stop, ...(profile.stop ?? [])] }
}

/** Draws that are the same on each machine; another seed would be another translation. */
const seed = 7

/** A second try takes less likely words, else it would end where the first did. */
const retryTemperature = 0.5

export function samplingFor(
  profile: ResolvedProfile,
  { isRetry = false, draw = 0 }: Pick<TranslationRequest, 'isRetry' | 'draw'>,
): Sampling {
  const { temperature = 0, topP = 0.95, topK = 40, repeatPenalty = profile.form === 'plain' ? undefined : 1 } = profile
  if (!isRetry) return { temperature, topP, topK, repeatPenalty, seed }
  return {
    temperature: Math.max(temperature, retryTemperature),
    topP,
    topK,
    repeatPenalty: Math.max(repeatPenalty ?? 1, 1.1),
    seed: seed + 1 + draw,
  }
}
