import { expect, test } from 'vitest'
import type { TranslationProfile } from '#engine/models/model-entry.ts'
import { maxCompletionTokens } from './max-completion-tokens.ts'
import { buildPrompt } from './build-prompt.ts'
import { resolveProfile, samplingFor } from './profile.ts'
import type { Prompt, TranslationRequest } from './request.ts'

const request: TranslationRequest = { text: 'سلام وروره', pair: { source: 'ps', target: 'en' } }
const context = {
  speaker: 'Speaker A',
  before: [{ speaker: 'Speaker B', text: 'چېرته یې؟', translation: 'Where are you?' }],
}

function promptOf(profile: TranslationProfile, more: Partial<TranslationRequest> = {}): Prompt {
  return buildPrompt({ ...request, ...more }, resolveProfile({ profile }))
}

function textOf(prompt: Prompt): string {
  return prompt.kind === 'completion' ? prompt.text : prompt.messages.map(({ text }) => text).join('\n---\n')
}

test('a chat has the instructions as system prompt and only the text as user message', () => {
  expect(promptOf({ form: 'chat' })).toEqual({
    kind: 'chat',
    messages: [
      { role: 'system', text: expect.stringContaining('from Pashto to English') },
      { role: 'user', text: 'سلام وروره' },
    ],
  })
})

test('a chat has the speaker and the preceding lines; a retry has examples instead', () => {
  const first = promptOf({ form: 'chat' }, { context })
  expect(textOf(first)).toContain('Speaker B: چېرته یې؟\n\nTranslate only this line of Speaker A:\nسلام وروره')
  const second = promptOf({ form: 'chat' }, { context, isRetry: true })
  expect(textOf(second)).not.toContain('چېرته یې؟')
  expect(second).toMatchObject({ messages: { length: 10 } })
})

test('a catalogue entry has its own instructions, with the names of the languages', () => {
  expect(textOf(promptOf({ form: 'chat', system: 'From {source} into {target}!' }))).toContain(
    'From Pashto into English!',
  )
})

test('only the terms that occur in the text are in the prompt', () => {
  const glossary = [
    { source: 'وروره', target: 'brother' },
    { source: 'پل', target: 'bridge' },
  ]
  for (const form of ['chat', 'completion', 'hy-mt'] as const) {
    const text = textOf(promptOf({ form }, { glossary }))
    expect(text).toContain('brother')
    expect(text).not.toContain('bridge')
  }
})

test('a completion prompt has examples and ends where the translation begins', () => {
  const text = textOf(promptOf({ form: 'completion' }))
  expect(text).toMatch(/^Pashto: .+\nEnglish: .+\n\nPashto: /u)
  expect(text.endsWith('\n\nPashto: سلام وروره\nEnglish:')).toBe(true)
  expect(resolveProfile({ profile: { form: 'completion', stop: ['###'] } }).stop).toEqual(['\n', '###'])
})

test('a completion prompt has the examples of its entry instead of the built-in ones', () => {
  const examples = { 'ps-en': [{ source: 'هو', target: 'yes' }] }
  expect(textOf(promptOf({ form: 'completion', examples }))).toBe(
    'Pashto: هو\nEnglish: yes\n\nPashto: سلام وروره\nEnglish:',
  )
})

test('TranslateGemma gets the prompt that it was trained on, with two blank lines before the text', () => {
  const prompt = promptOf({ form: 'translategemma' }, { pair: { source: 'ar', target: 'en' } })
  expect(textOf(prompt)).toMatch(/^You are a professional Arabic \(ar\) to English \(en\) translator\. /u)
  expect(textOf(prompt)).toMatch(/Please translate the following Arabic text into English:\n\n\nسلام وروره$/u)
})

test('Hunyuan-MT gets its three published prompts', () => {
  const text = (more: Partial<TranslationRequest>) => textOf(promptOf({ form: 'hy-mt' }, more))
  expect(text({})).toBe('Translate the following segment into English, without additional explanation.\n\nسلام وروره')
  expect(text({ context })).toBe(
    'چېرته یې؟\n参考上面的信息，把下面的文本翻译成英语，注意不需要翻译上文，也不要额外解释：\nسلام وروره',
  )
  expect(text({ glossary: [{ source: 'وروره', target: 'brother' }] })).toMatch(
    /^参考下面的翻译：\nوروره 翻译成 brother\n\n/u,
  )
})

test('sampling is the recommended one, and a retry samples otherwise', () => {
  const hyMt = resolveProfile({ profile: { form: 'hy-mt' } })
  expect(samplingFor(hyMt, {})).toMatchObject({ temperature: 0.7, topP: 0.6, topK: 20, repeatPenalty: 1.05 })
  const chat = resolveProfile({})
  const [first, second] = [samplingFor(chat, {}), samplingFor(chat, { isRetry: true })]
  expect(first.temperature).toBe(0)
  expect(second.temperature).toBeGreaterThan(0)
  expect(second.seed).not.toBe(first.seed)
})

test('the token limit of a completion depends on the language, unless the entry sets it', () => {
  const chat = resolveProfile({})
  const text = 'x'.repeat(100)
  expect(maxCompletionTokens(text, 'ps', chat)).toBeGreaterThan(maxCompletionTokens(text, 'en', chat) ?? 0)
  expect(maxCompletionTokens(text, 'en', { ...chat, tokensPerCharacter: 2 })).toBe(232)
  expect(maxCompletionTokens(text, 'en', resolveProfile({ profile: { form: 'plain' } }))).toBeUndefined()
})
