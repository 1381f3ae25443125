import { useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { useSettings } from '../../../shared/settings.ts'

/**
 * Returns the target language and a setter; the choice is remembered. A recording that only has translations into other languages starts
 * with one of those, so that a finished translation is shown.
 */
export function useTargetLanguage({ translations }: RecordingDetails) {
  const { settings, change } = useSettings()
  const [target, setTarget] = useState(() => {
    const preferred = settings.translation.targetLanguage
    const finished = translations.map(({ target_language }) => target_language)
    return finished.includes(preferred) ? preferred : (finished.at(-1) ?? preferred)
  })

  function choose(code: string) {
    setTarget(code)
    change({ translation: { ...settings.translation, targetLanguage: code } })
  }
  return [target, choose] as const
}
