import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TranslationModelEntry } from '#engine/models/model-entry.ts'
import type { TranslationProfile } from '#engine/models/model-entry.ts'
import { realModelsAbsence, realModelsDir } from '#testing/real-data.ts'
import { availableThreads } from '../threads.ts'
import { checkAnswer } from './gate/check-answer.ts'
import { startTranslator } from './llama.ts'
import type { Translator } from './llama.ts'
import { dialogue } from './testing/dialogue.ts'
import { translateSegments } from './translate.ts'

const file = 'gemma-3-270m-q4_k_m.gguf'
const isThere = realModelsAbsence() === undefined && (await stat(join(realModelsDir, file)).catch(() => null)) !== null
if (!isThere) console.log(`Skipped: there is no ${file} in AWAZ_REAL_MODELS.`)

/** Gemma 3 270M without instruction tuning: the file holds no chat template. */
function start(profile: TranslationProfile, onWarning?: (message: string) => void): Promise<Translator> {
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
  const model = { ...TranslationModelEntry.parse(entry), path: join(realModelsDir, file) }
  return startTranslator({ model, threads: availableThreads(), onWarning })
}

describe.skipIf(!isThere)('a model without instruction tuning', () => {
  let translator: Translator
  beforeAll(async () => {
    translator = await start({ form: 'completion' })
  })
  afterAll(() => translator.close())

  test(
    'yields a sentence or an honest mark for each line of a dialogue, mostly a sentence',
    { timeout: 600_000 },
    async () => {
      const segments = dialogue.map(([language, text], index) => ({ start: index, end: index + 1, text, language }))
      const done = await translateSegments({ segments, targetLanguage: 'en', translator })
      expect(done).toHaveLength(37)
      for (const { text, translated_text, error, not_translated } of done) {
        if (error !== null) expect(not_translated?.reason).toBeDefined()
        else
          expect(checkAnswer(translated_text, { text, pair: { source: 'fa', target: 'en' } })).toEqual({
            translation: translated_text,
          })
      }
      expect(done.filter(({ error }) => error === null).length).toBeGreaterThanOrEqual(30)
      expect(translator.warning()).toBeNull()
    },
  )

  test('asked as a chat, a warning says that the file has no template', { timeout: 120_000 }, async () => {
    const warnings: string[] = []
    const chat = await start({ form: 'chat' }, (message) => warnings.push(message))
    try {
      await chat.ask('سلام', { source: 'fa', target: 'en' })
      expect(chat.warning()).toMatch(/^The file of the model Gemma 3 270M says nothing of how its chats are written/u)
      expect(warnings).toEqual([chat.warning()])
    } finally {
      await chat.close()
    }
  })

  test('a chat template of the profile is enough', { timeout: 120_000 }, async () => {
    const template = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}assistant:"
    const chat = await start({ form: 'chat', template, stop: ['\n'] })
    try {
      const answer = await chat.ask('سلام', { source: 'fa', target: 'en' })
      expect(answer.kind).toBe('answer')
      expect(chat.warning()).toBeNull()
    } finally {
      await chat.close()
    }
  })
})
