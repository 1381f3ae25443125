import { SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { keywordCategories, keywordCategoryNames, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { CategoryIcon } from '../../../shared/keywords/category.tsx'
import classes from './category-filter.module.css'
import { countByCategory, toggleCategory } from './filter-hits.ts'
import type { LineHit } from '../state/line-hits.ts'
import common from '../../../shared/ui/common.module.css'

interface CategoryFilterProps {
  hits: LineHit[]
  /** Empty: all. */
  chosen: KeywordCategory[]
  onChange: (chosen: KeywordCategory[]) => void
}

/** The number of hits of each category; each number is a button that limits the list to its category. */
export function CategoryFilter({ hits, chosen, onChange }: CategoryFilterProps) {
  const counts = countByCategory(hits)
  return (
    <SimpleGrid cols={4} spacing="xs" role="group" aria-label={t('Categories')}>
      {keywordCategories.map((category) => (
        <UnstyledButton
          key={category}
          className={classes.category}
          data-category={category}
          aria-pressed={chosen.includes(category)}
          onClick={() => onChange(toggleCategory(chosen, category))}
        >
          <CategoryIcon category={category} size={16} />
          <span className={classes.name}>{keywordCategoryNames[category].name}</span>
          <Text span inherit fw={620} className={common.figures}>
            {formatNumber(counts[category])}
          </Text>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  )
}
