import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TranslationProfile } from '#engine/models/model-entry.ts'
import { lacks } from '#testing/needs.ts'
import { realModelsDir } from '#testing/real-data.ts'
import { availableThreads } from '../threads.ts'
import { checkCompletion } from './gate/check-completion.ts'
import { startTranslator } from './llama.ts'
import type { Translator } from './llama.ts'
import { dialogue } from './testing/dialogue.ts'
import { pretrainedGemma } from './testing/pretrained-gemma.ts'
import { translateSegments } from './translate.ts'

function start(profile: TranslationProfile, onWarning?: (message: string) => void): Promise<Translator> {
  return startTranslator({ model: pretrainedGemma(realModelsDir, profile), threads: availableThreads(), onWarning })
}

describe.skipIf(lacks('gemma'))('a model without instruction tuning', () => {
  let translator: Translator
  beforeAll(async () => {
    translator = await start({ form: 'completion' })
  })
  afterAll(() => translator.close())

  test(
    'yields a sentence or an honest mark for each line of a dialogue, mostly a sentence',
    { timeout: 600_000 },
    async () => {
      const segments = dialogue
        .filter((_, index) => index % 3 === 0)
        .map(([language, text], index) => ({ start: index, end: index + 1, text, language }))
      const done = await translateSegments({ segments, targetLanguage: 'en', translator })
      expect(done).toHaveLength(13)
      const [failed, translated] = [
        done.filter(({ error }) => error !== null),
        done.filter(({ error }) => error === null),
      ]
      for (const { not_translated } of failed) expect(not_translated?.reason).toBeDefined()
      for (const { text, translated_text } of translated) {
        expect(checkCompletion(translated_text, { text, pair: { source: 'fa', target: 'en' } })).toEqual({
          translation: translated_text,
        })
      }
      expect(translated.length).toBeGreaterThanOrEqual(11)
      expect(translator.warning()).toBeNull()
    },
  )

  test('asked as a chat, a warning says that the file has no template', { timeout: 120_000 }, async () => {
    const warnings: string[] = []
    const chat = await start({ form: 'chat' }, (message) => warnings.push(message))
    try {
      await chat.complete('سلام', { source: 'fa', target: 'en' })
      expect(chat.warning()).toMatch(/^The file of the model Gemma 3 270M has no chat template/u)
      expect(warnings).toEqual([chat.warning()])
    } finally {
      await chat.close()
    }
  })

  test('a chat template of the profile is enough', { timeout: 120_000 }, async () => {
    const template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}assistant:"
    const chat = await start({ form: 'chat', template, stop: ['\n'] })
    try {
      const response = await chat.complete('سلام', { source: 'fa', target: 'en' })
      expect(response.kind).toBe('completion')
      expect(chat.warning()).toBeNull()
    } finally {
      await chat.close()
    }
  })
})
