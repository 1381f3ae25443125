import { useState } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { useSettings } from '../../../shared/settings.ts'

/**
 * Returns the language translated into and a setter, which is remembered. A recording that is translated into other languages only
 * begins with one of them, so that what is finished is seen.
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
