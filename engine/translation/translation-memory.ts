import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import type { LanguagePair } from './prompt.ts'

/** A translated text in a checkpoint. `key` is a hash of everything that determines `text`: the original, languages, model, prompt. */
export const SavedTranslation = z.object({ key: z.string(), text: z.string() })
export type SavedTranslation = z.infer<typeof SavedTranslation>

/** Keeps translated texts between the attempts of a job. */
export interface TranslationCheckpoint {
  /** Returns the saved translations in any order. */
  load(): Promise<SavedTranslation[]>
  /** Saves one more text. Awaited before the next text begins; a failure ends the job. */
  save(translation: SavedTranslation): Promise<void>
}

/** The translations of one job, so that a repeated text is translated only once. */
export interface TranslationMemory {
  /**
   * Returns the known translation of `text`, or calls `translate` and saves its result; a failure is not saved. `context` is the rest of
   * the prompt, on which the completion depends as well.
   */
  getOrTranslate(text: string, pair: LanguagePair, context: unknown, translate: () => Promise<string>): Promise<string>
}

/** Incremented with each code change that changes translations. */
const pipelineVersion = 2

export async function createMemory(
  model: TranslationModel,
  checkpoint?: TranslationCheckpoint,
): Promise<TranslationMemory> {
  const saved = (await checkpoint?.load()) ?? []
  const known = new Map(saved.map(({ key, text }) => [key, text]))
  return {
    async getOrTranslate(text, { source, target }, context, translate) {
      const { id, contentHash, sha256, sha1, sizeBytes, profile } = model
      const inputs = [
        pipelineVersion,
        id,
        contentHash ?? sha256 ?? sha1 ?? sizeBytes,
        profile,
        source,
        target,
        context,
        text,
      ]
      const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
      const found = known.get(key)
      if (found !== undefined) return found
      const translated = await translate()
      known.set(key, translated)
      await checkpoint?.save({ key, text: translated })
      return translated
    },
  }
}
