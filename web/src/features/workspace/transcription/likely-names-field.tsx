import { TagsInput } from '@mantine/core'
import { LikelyNames, maxNames, nameSeparators, splitNames } from '#contract/likely-names.ts'
import { t } from '#contract/texts/t.ts'
import { FoldedOptions } from '../panel/folded-options.tsx'

interface LikelyNamesFieldProps {
  names: string[]
  onChange: (names: string[]) => void
}

/** The names that the next transcription is prompted with. */
export function LikelyNamesField({ names, onChange }: LikelyNamesFieldProps) {
  const { error } = LikelyNames.safeParse(names)
  const title =
    names.length > 0
      ? t('Names likely to be heard ({count, number})', { count: names.length })
      : t('Names likely to be heard')
  return (
    <FoldedOptions title={title}>
      <TagsInput
        label={t('Names')}
        description={t('Only names of people and places; other words make the transcript worse.')}
        placeholder={names.length === 0 ? t('Ahmad, Kandahar') : undefined}
        value={names}
        onChange={(changed) => onChange(cleanNames(changed))}
        splitChars={nameSeparators}
        maxTags={maxNames}
        clearable
        clearButtonProps={{ 'aria-label': t('Clear names') }}
        error={error?.issues[0]?.message}
      />
    </FoldedOptions>
  )
}

/** Splits, trims and deduplicates names; text from an on-screen keyboard becomes one tag with commas in it on leaving the field. */
function cleanNames(names: string[]): string[] {
  return [...new Set(names.flatMap(splitNames).map((name) => name.trim()))]
}
