import { expect, test } from 'vitest'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { pretrainedGemma } from './testing/pretrained-gemma.ts'
import { createMemory } from './translation-memory.ts'
import type { SavedTranslation } from './translation-memory.ts'

const model: TranslationModel = { ...pretrainedGemma('/models', { form: 'completion' }), contentHash: 'a'.repeat(64) }
const pair = { source: 'ps', target: 'en' }

/** Whether a job that resumes with `now` reuses the translations of `before`. */
async function isTakenOver(before: TranslationModel, now: TranslationModel): Promise<boolean> {
  const saved: SavedTranslation[] = []
  const checkpoint = {
    load: async () => saved,
    save: async (translation: SavedTranslation) => void saved.push(translation),
  }
  const first = await createMemory(before, checkpoint)
  await first.getOrTranslate('سلام', pair, null, async () => 'before')
  const resumed = await createMemory(now, checkpoint)
  return (await resumed.getOrTranslate('سلام', pair, null, async () => 'now')) === 'before'
}

test('translations are reused for the same weights and the same prompt', async () => {
  expect(await isTakenOver(model, structuredClone(model))).toBe(true)
})

test.each<[string, Partial<TranslationModel>]>([
  ['other weights under the same id', { contentHash: 'b'.repeat(64) }],
  ['another form of prompt', { profile: { form: 'chat' } }],
  ['another temperature', { profile: { form: 'completion', temperature: 0.3 } }],
  ['another model of the same weights', { id: 'other' }],
])('%s discards them', async (_, change) => {
  expect(await isTakenOver(model, { ...model, ...change })).toBe(false)
})

test('without a content hash the published hash, or the size, identifies the weights', async () => {
  const unpinned = { ...model, contentHash: undefined }
  expect(await isTakenOver({ ...unpinned, sizeBytes: 1 }, { ...unpinned, sizeBytes: 2 })).toBe(false)
  const sha256 = (digit: string) => digit.repeat(64)
  expect(await isTakenOver({ ...unpinned, sha256: sha256('a') }, { ...unpinned, sha256: sha256('b') })).toBe(false)
})
