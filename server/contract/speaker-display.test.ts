import { expect, test, vi } from 'vitest'
import { translateSpeaker } from './speaker-display.ts'

test('names that the server gave to speakers are in the language of the reader, those of people as they are', () => {
  const texts = { 'Left Channel': 'کانال چپ', '["Speaker ",["letter"]]': ['گوینده ', ['letter']] }
  vi.stubGlobal('awazTexts', { language: 'fa', texts })
  const shown = ['Left Channel', 'Speaker B', 'Speaker Nazo', 'Zarghuna'].map(translateSpeaker)
  vi.unstubAllGlobals()
  expect(shown).toEqual(['کانال چپ', 'گوینده B', 'Speaker Nazo', 'Zarghuna'])
})
