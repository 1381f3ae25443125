import { Select } from '@mantine/core'
import { useLanguages } from '../../shared/recordings/languages.ts'
import { useSettings } from '../../shared/settings.ts'
import classes from './workspace.module.css'

/** Of the right channel: the same as the left. */
export const sameLanguage = 'same'

interface LanguagePickersProps {
  language: string
  onLanguage: (code: string) => void
  /** What the right channel speaks, where there is one. */
  right: string | undefined
  onRight: (code: string) => void
  target: string
  onTarget: (code: string) => void
}

/** What is spoken, and what to translate into. What the active models cannot do says so in the list. */
export function LanguagePickers({ language, onLanguage, right, onRight, target, onTarget }: LanguagePickersProps) {
  const { transcription, translation, features } = useLanguages()
  const { settings, change } = useSettings()

  function chooseTarget(code: string) {
    onTarget(code)
    change({ translation: { ...settings.translation, targetLanguage: code } })
  }

  return (
    <div className={classes.pickers}>
      <Select
        label="Transcription Language"
        searchable
        data={options(transcription, features?.transcription)}
        value={language}
        onChange={(code) => code && onLanguage(code)}
      />
      {right !== undefined && (
        <Select
          label="Right Channel"
          searchable
          data={[
            { value: sameLanguage, label: 'Same as the left' },
            ...options(transcription, features?.transcription),
          ]}
          value={right}
          onChange={(code) => code && onRight(code)}
        />
      )}
      <Select
        label="Translation Language"
        searchable
        data={options(translation, features?.translation_targets)}
        value={target}
        onChange={(code) => code && chooseTarget(code)}
      />
    </div>
  )
}

/** Languages the models handle first, the others after them with a remark. */
function options(names: Record<string, string>, handled: string[] | undefined) {
  const canDo = (code: string) => !handled || handled.includes(code)
  const entries = Object.entries(names)
  const ready = entries.filter(([code]) => canDo(code)).map(([value, label]) => ({ value, label }))
  const rest = entries
    .filter(([code]) => !canDo(code))
    .map(([value, label]) => ({ value, label: `${label} (no model here)` }))
  return [...ready, ...rest]
}
