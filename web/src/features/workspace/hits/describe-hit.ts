import { isolateName } from '#contract/isolated-name.ts'
import { keywordCategoryNames, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'

interface DescribedHit {
  category: KeywordCategory
  keyword: string
  isSimilar?: boolean | undefined
}

/** Returns for example `Threats: sounds like bomb · Speaker A`; leaves out an empty name. */
export function describeHit({ category, keyword, isSimilar }: DescribedHit, speakerName: string): string {
  const values = { category: keywordCategoryNames[category].name, keyword: isolateName(keyword) }
  const label = isSimilar ? t('{category}: sounds like {keyword}', values) : t('{category}: {keyword}', values)
  return speakerName === '' ? label : `${label} · ${isolateName(speakerName)}`
}
