import { t } from '#contract/texts/t.ts'
import { ToolbarPicker } from './toolbar-picker.tsx'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'
import { useSpokenLanguageOptions } from './spoken-language-options.ts'

interface TranscriptionLanguagePickerProps {
  /** The languages that the version on screen was requested in. */
  selected: SelectedLanguages
  /** Called with a different language for the left or only channel. */
  onSelect: (selected: SelectedLanguages) => void
  isStereo: boolean
  isDisabled: boolean
}

/** The value for two channels that were requested in different languages. */
const bothLanguages = 'both'

/** Picks the language that a recording is transcribed in, once there is a transcript or one is being made. */
export function TranscriptionLanguagePicker(props: TranscriptionLanguagePickerProps) {
  const { selected, onSelect, isStereo, isDisabled } = props
  const { options } = useSpokenLanguageOptions()
  const { language, rightLanguage } = selected
  const hasTwo = isStereo && rightLanguage !== sameLanguage && rightLanguage !== language
  const nameOf = (code: string) => options.find(({ value }) => value === code)?.label ?? code
  const both = { value: bothLanguages, label: `${nameOf(language)}, ${nameOf(rightLanguage)}` }
  return (
    <ToolbarPicker
      label={t('Transcription Language')}
      disabled={isDisabled}
      data={hasTwo ? [both, ...options] : options}
      value={hasTwo ? bothLanguages : language}
      onChange={(code) => code && code !== bothLanguages && onSelect({ ...selected, language: code })}
    />
  )
}
