import { expect, test } from 'vitest'
import { translationPrompt } from './prompt.ts'

test('is word for word what the demo model was trained on', () => {
  expect(translationPrompt('سلام', { source: 'ps', target: 'en' })).toBe(
    'Translate the following text from Pashto to English. Output only the translation.\n\nسلام',
  )
})
