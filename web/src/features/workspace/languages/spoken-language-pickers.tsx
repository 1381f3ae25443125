import { Select } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from './language-pickers.module.css'
import { sameLanguage, type SelectedLanguages } from './selected-languages.ts'
import { useSpokenLanguageOptions } from './spoken-language-options.ts'

interface SpokenLanguagePickersProps {
  selected: SelectedLanguages
  onSelect: (selected: SelectedLanguages) => void
  /** Whether the right channel can have a different language. */
  isStereo: boolean
  isDisabled?: boolean
}

/** The spoken-language pickers. Languages without a working model are marked in the lists. */
export function SpokenLanguagePickers({ selected, onSelect, isStereo, isDisabled }: SpokenLanguagePickersProps) {
  const { options, problems } = useSpokenLanguageOptions()
  return (
    <div className={classes.pickers}>
      <Select
        label={t('Transcription Language')}
        description={isStereo ? t('Left Channel') : undefined}
        error={problems.get(selected.language)}
        searchable
        disabled={isDisabled}
        data={options}
        value={selected.language}
        onChange={(code) => code && onSelect({ ...selected, language: code })}
      />
      {isStereo && (
        <Select
          label={t('Right Channel')}
          description={t('A language of its own')}
          error={problems.get(selected.rightLanguage)}
          searchable
          disabled={isDisabled}
          data={[{ value: sameLanguage, label: t('Same as the left') }, ...options]}
          value={selected.rightLanguage}
          onChange={(code) => code && onSelect({ ...selected, rightLanguage: code })}
        />
      )}
    </div>
  )
}
