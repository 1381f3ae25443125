import { Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { ToolbarPicker } from './toolbar-picker.tsx'
import { languageOptions } from './language-options.ts'

interface TargetLanguagePickerProps {
  target: string
  onChange: (code: string) => void
  /** The languages that the recording has been translated into. */
  finished: string[]
  isDisabled: boolean
}

/** The target-language picker; finished translations are listed first. */
export function TargetLanguagePicker({ target, onChange, finished, isDisabled }: TargetLanguagePickerProps) {
  const { translation, features } = useLanguages()
  return (
    <ToolbarPicker
      label={t('Translation Language')}
      searchable
      disabled={isDisabled}
      data={languageOptions(translation, { handled: features?.translation_targets, finished })}
      value={target}
      onChange={(code) => code && onChange(code)}
      renderOption={({ option: { value, label } }) => (
        <span>
          {label}
          {finished.includes(value) && <Text span inherit c="dimmed">{` · ${t('translated')}`}</Text>}
        </span>
      )}
    />
  )
}
