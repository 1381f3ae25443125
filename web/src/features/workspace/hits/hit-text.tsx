import { Tooltip } from '@mantine/core'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { excerptAround } from './excerpt-around.ts'
import classes from './hit-text.module.css'

interface HitTextProps {
  text: string
  /** Null where this text lacks the keyword. */
  hit: KeywordHit | null
  language: string | null
  /** What the tooltip of the word says. */
  title: string
  /** Below the text that it translates. */
  isSecondary?: boolean
}

/** The sentence around a hit with its word marked; the line is a dashed one where the word only sounds like the keyword. */
export function HitText({ text, hit, language, title, isSecondary = false }: HitTextProps) {
  const { before, marked, after } = excerptAround(text, hit)
  return (
    <DirectionalText
      as="span"
      language={language}
      plainText={text}
      className={isSecondary ? `${classes.text} ${classes.secondary}` : (classes.text ?? '')}
    >
      {before}
      {hit && (
        <Tooltip label={title}>
          <mark className={classes.mark} data-category={hit.category} data-similar={hit.isSimilar}>
            {marked}
          </mark>
        </Tooltip>
      )}
      {after}
    </DirectionalText>
  )
}
