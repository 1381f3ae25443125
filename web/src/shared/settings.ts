import { useCallback } from 'react'
import type { InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'
import { atomWithStorage, useAtom } from './jotai.ts'

/** Local settings, kept under one key (audio-workflow specification, section 3). Mantine stores the theme, a cookie the language. */
export interface Settings {
  theme: 'system' | 'light' | 'dark'
  language: InterfaceLanguageCode
  notifications: {
    email: boolean
    push: boolean
    transcriptionComplete: boolean
    translationComplete: boolean
    securityAlerts: boolean
  }
  audio: { autoPlay: boolean; volume: number; playbackSpeed: number }
  transcription: { autoSave: boolean; showTimestamps: boolean; highlightKeywords: boolean }
  translation: { autoTranslate: boolean; showOriginal: boolean; targetLanguage: string }
}

export const defaultSettings: Settings = {
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
}

/** Fills in defaults for groups and fields that another version of the app did not store. */
export function completeSettings(stored: unknown): Settings {
  const record: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {}
  const group = <T extends object>(defaults: T, value: unknown): T =>
    typeof value === 'object' && value !== null ? { ...defaults, ...value } : defaults
  return {
    ...defaultSettings,
    ...(record.theme === 'light' || record.theme === 'dark' ? { theme: record.theme } : {}),
    // Stored in a cookie, which the server reads.
    language: currentLanguage(),
    notifications: group(defaultSettings.notifications, record.notifications),
    audio: group(defaultSettings.audio, record.audio),
    transcription: group(defaultSettings.transcription, record.transcription),
    translation: group(defaultSettings.translation, record.translation),
  }
}

const storage = {
  getItem(key: string, initial: Settings): Settings {
    const text = localStorage.getItem(key)
    if (!text) return initial
    try {
      return completeSettings(JSON.parse(text))
    } catch {
      return initial
    }
  },
  setItem: (key: string, value: Settings) => localStorage.setItem(key, JSON.stringify(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
}

const settingsAtom = atomWithStorage('awaz_settings', defaultSettings, storage, { getOnInit: true })

/** Returns the local settings and a setter for groups of them. */
export function useSettings() {
  const [settings, setSettings] = useAtom(settingsAtom)
  const change = useCallback(
    (part: Partial<Settings>) => setSettings((current) => ({ ...current, ...part })),
    [setSettings],
  )
  return { settings, change }
}
