import { join } from 'node:path'
import { TranslationModelEntry } from '#engine/models/model-entry.ts'
import type { TranslationModel, TranslationProfile } from '#engine/models/model-entry.ts'

/** Gemma 3 270M without instruction tuning, as .ci/run fetches it into a folder of real weights; its file has no chat template. */
export function pretrainedGemma(
  modelsDir: string,
  profile: TranslationProfile = { form: 'completion' },
): TranslationModel {
  const file = 'gemma-3-270m-q4_k_m.gguf'
  const entry = {
    kind: 'translation',
    id: 'gemma-3-270m',
    name: 'Gemma 3 270M',
    file,
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'Gemma Terms of Use',
    languages: ['en', 'ps', 'ur', 'fa', 'ar'],
    profile,
  }
  return { ...TranslationModelEntry.parse(entry), path: join(modelsDir, file) }
}
