import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'

/** The colours of the map: those of the theme, which a canvas does not inherit. */
export interface MapPalette {
  surface: string
  text: string
  muted: string
  accent: string
  /** By hue. */
  voices: string[]
  categories: Record<KeywordCategory, string>
}

const voiceTokens = [
  '--awaz-a',
  '--awaz-b-fill',
  '--awaz-c',
  '--awaz-d',
  '--awaz-e',
  '--awaz-f',
  '--awaz-g',
  '--awaz-h',
]

/** Reads the colours as they are now: they change with the colour scheme. */
export function readPalette(element: Element): MapPalette {
  const style = getComputedStyle(element)
  const read = (token: string) => style.getPropertyValue(token).trim()
  const categories = keywordCategories.map((category) => [category, read(`--awaz-${category}`)])
  return {
    surface: read('--awaz-surface'),
    text: read('--mantine-color-text'),
    muted: read('--mantine-color-dimmed'),
    accent: read('--awaz-accent'),
    voices: voiceTokens.map(read),
    categories: Object.fromEntries(categories) as MapPalette['categories'], // one entry for each category
  }
}
