import { Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { Words } from '../../shared/ui/words.tsx'
import type { AnalysedText } from './analysis.ts'
import classes from './workspace.module.css'

const titles = { transcription: 'Transcription', translation: 'Translation' } as const

/** A text with its keywords marked in their category's colour; a tooltip names category and keyword. */
export function HighlightedText({ entry }: { entry: AnalysedText }) {
  return (
    <section aria-label={`Keywords in the ${entry.name}`}>
      <Text size="sm" fw={560} c="dimmed" mb={4}>
        {titles[entry.name]} · {entry.hits.length} {entry.hits.length === 1 ? 'match' : 'matches'}
      </Text>
      <Words language={entry.language} className={classes.marked}>
        {entry.text ? pieces(entry) : 'No text'}
      </Words>
    </section>
  )
}

function pieces({ text, hits }: AnalysedText): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, category, keyword } of hits) {
    if (start > at) parts.push(text.slice(at, start))
    parts.push(
      <Tooltip key={start} label={`${keywordCategoryNames[category].name}: ${keyword}`}>
        <mark className={classes.mark} data-category={category}>
          {text.slice(start, end)}
        </mark>
      </Tooltip>,
    )
    at = end
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}
