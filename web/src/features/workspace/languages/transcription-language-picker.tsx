import { t } from '#contract/texts/t.ts'
import { ToolbarPicker } from './toolbar-picker.tsx'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'
import { useSpokenLanguageOptions } from './spoken-language-options.ts'

interface TranscriptionLanguagePickerProps {
  /** What the version on screen was asked for. */
  selected: SelectedLanguages
  /** Called with another language of the left channel, or of the only one. */
  onSelect: (selected: SelectedLanguages) => void
  isStereo: boolean
  isDisabled: boolean
}

/** Of two channels that were asked for in different languages. */
const bothLanguages = 'both'

/** Picker of the language that a recording is transcribed in, once there is a transcript or one is made. */
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
