import { expect, it } from 'vitest'
import { completeSettings, defaultSettings } from './settings.ts'

// The defaults of the audio-workflow specification, section 3, written out.
it('has the defaults of the specification', () => {
  expect(defaultSettings).toEqual({
    theme: 'system',
    language: 'en',
    notifications: {
      email: true,
      push: true,
      transcriptionComplete: true,
      translationComplete: true,
      securityAlerts: true,
    },
    audio: { autoPlay: false, volume: 0.8, playbackSpeed: 1 },
    transcription: { autoSave: true, showTimestamps: true, highlightKeywords: true },
    translation: { autoTranslate: false, showOriginal: true, targetLanguage: 'en' },
  })
})

it('keeps what was stored and adds the defaults of what was not', () => {
  expect(completeSettings({ theme: 'dark', audio: { volume: 0.3 }, translation: 'broken' })).toEqual({
    ...defaultSettings,
    theme: 'dark',
    audio: { ...defaultSettings.audio, volume: 0.3 },
  })
})

it.each([null, 'text', { theme: 'purple' }])('is the defaults where %j was stored', (stored) => {
  expect(completeSettings(stored)).toEqual(defaultSettings)
})
