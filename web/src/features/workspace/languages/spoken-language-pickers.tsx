import { Select } from '@mantine/core'
import { useLanguages } from '../../../shared/recordings/languages.ts'
import { languageOptions, languageProblems } from './language-options.ts'
import classes from './language-pickers.module.css'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'

/** Where the spoken language is not known, or a speaker changes it. */
const detections = [
  { value: 'auto', label: 'Detect language' },
  { value: 'multi', label: 'Detect part by part' },
]

interface SpokenLanguagePickersProps {
  selected: SelectedLanguages
  onSelect: (selected: SelectedLanguages) => void
  /** Whether the right channel may speak a language of its own. */
  isStereo: boolean
  isDisabled?: boolean
}

/** Pickers of the spoken languages. Languages without a working model are marked in the lists. */
export function SpokenLanguagePickers({ selected, onSelect, isStereo, isDisabled }: SpokenLanguagePickersProps) {
  const { transcription, features } = useLanguages()
  const problems = languageProblems(features?.models ?? [])
  const options = [
    ...languageOptions(transcription, { handled: features?.transcription, problems }),
    ...(features?.language_detection === false ? [] : detections),
  ]
  return (
    <div className={classes.pickers}>
      <Select
        label="Transcription Language"
        description={isStereo ? 'Left Channel' : undefined}
        error={problems.get(selected.language)}
        searchable
        disabled={isDisabled}
        data={options}
        value={selected.language}
        onChange={(code) => code && onSelect({ ...selected, language: code })}
      />
      {isStereo && (
        <Select
          label="Right Channel"
          description="A language of its own"
          error={problems.get(selected.rightLanguage)}
          searchable
          disabled={isDisabled}
          data={[{ value: sameLanguage, label: 'Same as the left' }, ...options]}
          value={selected.rightLanguage}
          onChange={(code) => code && onSelect({ ...selected, rightLanguage: code })}
        />
      )}
    </div>
  )
}
