import { Select } from '@mantine/core'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { languageOptions } from './language-options.ts'
import classes from './language-pickers.module.css'

interface TargetLanguagePickerProps {
  target: string
  onChange: (code: string) => void
  /** Languages into which the recording is translated. */
  finished: string[]
  isDisabled: boolean
}

/** Picker of the language translated into; finished translations are listed first. */
export function TargetLanguagePicker({ target, onChange, finished, isDisabled }: TargetLanguagePickerProps) {
  const { translation, features } = useLanguages()
  return (
    <Select
      className={classes.target}
      aria-label="Translation Language"
      size="xs"
      searchable
      disabled={isDisabled}
      data={languageOptions(translation, { handled: features?.translation_targets, finished })}
      value={target}
      onChange={(code) => code && onChange(code)}
      // The options of a closed list would be most of what the desk renders when it opens.
      comboboxProps={{ width: 'max-content', position: 'bottom-end', keepMounted: false }}
      renderOption={({ option: { value, label } }) => (
        <span>
          {label}
          {finished.includes(value) && <span className={classes.finished}> · translated</span>}
        </span>
      )}
    />
  )
}
