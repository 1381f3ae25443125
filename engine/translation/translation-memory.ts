import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import type { LanguagePair } from './prompt.ts'

/** A finished text, as a checkpoint keeps it. `key` is a fingerprint of all that decides `text`: the original, languages, model. */
export const SavedTranslation = z.object({ key: z.string(), text: z.string() })
export type SavedTranslation = z.infer<typeof SavedTranslation>

/** Where finished texts are kept between attempts at one job. */
export interface TranslationCheckpoint {
  /** What was saved before, in any order. */
  load(): Promise<SavedTranslation[]>
  /** Keeps one more. Awaited before the next text begins; a failure ends the work. */
  save(translation: SavedTranslation): Promise<void>
}

/** The translations of one job: a text said twice is translated once. */
export interface TranslationMemory {
  /** The translation known for `text`, or what `translate` makes of it, which is then kept and saved. A failure is not kept.
   * `shown` is what the model sees beside the text: with something else the answer may be another. */
  recall(text: string, pair: LanguagePair, shown: unknown, translate: () => Promise<string>): Promise<string>
}

/** Raised when a change of ours makes the same text come out otherwise. */
const planVersion = 2

export async function createMemory(
  model: TranslationModel,
  checkpoint?: TranslationCheckpoint,
): Promise<TranslationMemory> {
  const saved = (await checkpoint?.load()) ?? []
  const known = new Map(saved.map(({ key, text }) => [key, text]))
  return {
    async recall(text, { source, target }, shown, translate) {
      const { id, contentHash, sha256, sha1, sizeBytes, profile } = model
      const facts = [planVersion, id, contentHash ?? sha256 ?? sha1 ?? sizeBytes, profile, source, target, shown, text]
      const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
      const found = known.get(key)
      if (found !== undefined) return found
      const translated = await translate()
      known.set(key, translated)
      await checkpoint?.save({ key, text: translated })
      return translated
    },
  }
}
