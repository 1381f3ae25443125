import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTarget from '@tabler/icons-react/dist/esm/icons/IconTarget.mjs'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'

const icons = {
  threats: IconAlertTriangle,
  sentiment: IconMoodSmile,
  intent: IconTarget,
  custom: IconTag,
} as const

/** A category's icon in its colour; the colour is never the only distinction. */
export function CategoryIcon({ category, size = 18 }: { category: KeywordCategory; size?: number }) {
  const Icon = icons[category]
  return <Icon size={size} stroke={1.5} color={`var(--awaz-${category})`} aria-hidden />
}
