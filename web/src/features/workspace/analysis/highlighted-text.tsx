import { Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import type { AnalysedText } from './analysis.ts'
import classes from './highlighted-text.module.css'

const titles = { transcription: 'Transcription', translation: 'Translation' } as const

interface HighlightedTextProps {
  entry: AnalysedText
  /** Returns the name of who says the character at an offset, where that is known. */
  nameAt?: ((offset: number) => string | undefined) | undefined
}

/**
 * A text with its keywords marked in their category's colour, those that only sound like one by a dashed line; a tooltip names category,
 * keyword and who said it.
 */
export function HighlightedText({ entry, nameAt }: HighlightedTextProps) {
  const similarCount = entry.hits.filter(({ isSimilar }) => isSimilar).length
  return (
    <section aria-label={`Keywords in the ${entry.name}`}>
      <Text size="sm" fw={560} c="dimmed" mb={4}>
        {titles[entry.name]} · {entry.hits.length} {entry.hits.length === 1 ? 'match' : 'matches'}
        {similarCount > 0 && `, ${similarCount} by sound`}
      </Text>
      <DirectionalText language={entry.language} className={classes.text}>
        {entry.text ? pieces(entry, nameAt) : 'No text'}
      </DirectionalText>
    </section>
  )
}

/** Explains the two kinds of marks. */
export function MarkLegend() {
  return (
    <Text size="sm" c="dimmed" mb="xs">
      <span className={classes.legendMark}>Solid line</span>: as written.{' '}
      <span className={classes.legendMark} data-similar>
        Dashed line
      </span>
      : another word that sounds like the keyword.
    </Text>
  )
}

function pieces({ text, hits }: AnalysedText, nameAt: HighlightedTextProps['nameAt']): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, category, keyword, isSimilar } of hits) {
    if (start > at) parts.push(text.slice(at, start))
    const name = nameAt?.(start)
    const label = `${keywordCategoryNames[category].name}: ${isSimilar ? 'sounds like ' : ''}${keyword}`
    parts.push(
      <Tooltip key={start} label={name === undefined ? label : `${label} · ${name}`}>
        <mark className={classes.mark} data-category={category} data-similar={isSimilar}>
          {text.slice(start, end)}
        </mark>
      </Tooltip>,
    )
    at = end
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}
