import { MultiSelect } from '@mantine/core'
import { maxTargetLanguages } from '#contract/batches.ts'
import { t } from '#contract/texts/t.ts'
import { useLanguages } from '../../shared/recordings/languages.ts'
import { languageOptions } from '../workspace/languages/language-options.ts'

interface TargetLanguagesPickerProps {
  label: string
  targets: string[]
  onChange: (targets: string[]) => void
}

/** A picker for several target languages. Languages that no installed model knows are marked. */
export function TargetLanguagesPicker({ label, targets, onChange }: TargetLanguagesPickerProps) {
  const { translation, features } = useLanguages()
  return (
    <MultiSelect
      label={label}
      placeholder={targets.length === 0 ? t('No translation') : ''}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Remove all languages') }}
      hidePickedOptions
      maxValues={maxTargetLanguages}
      data={languageOptions(translation, { handled: features?.translation_targets })}
      value={targets}
      onChange={onChange}
    />
  )
}
