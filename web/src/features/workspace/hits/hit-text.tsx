import { Tooltip } from '@mantine/core'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import classes from './hit-text.module.css'

/** More would push the next hit out of view; a line may hold half a minute of speech. */
const maxCharactersPerSide = 70
const maxCharacters = 160

interface Excerpt {
  before: string
  marked: string
  after: string
}

/** Returns the part of a text around an offset range, cut between words; its beginning where there is no range. */
function excerptAround(text: string, range: { start: number; end: number } | null): Excerpt {
  if (!range) return { before: '', marked: '', after: cutEnd(text, maxCharacters) }
  const before = text.slice(0, range.start)
  const after = text.slice(range.end)
  const isShort = text.length <= maxCharacters
  return {
    before: isShort ? before : cutStart(before, maxCharactersPerSide),
    marked: text.slice(range.start, range.end),
    after: isShort ? after : cutEnd(after, maxCharactersPerSide),
  }
}

function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.lastIndexOf(' ', max)
  return `${text.slice(0, end > 0 ? end : max)} …`
}

function cutStart(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.indexOf(' ', text.length - max)
  return `… ${text.slice(start >= 0 ? start + 1 : text.length - max)}`
}

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
