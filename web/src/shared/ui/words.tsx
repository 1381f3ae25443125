import { Box, type BoxProps } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { describeLanguage } from '#contract/languages.ts'

interface WordsProps extends BoxProps {
  /** ISO 639-1 code; null or `auto` where unknown, then the browser reads the direction off the text. */
  language: string | null
  children: ReactNode
  className?: string
  style?: CSSProperties
  as?: 'div' | 'span' | 'p'
}

/** A text in its own language, direction and typeface. */
export function Words({ language, children, as = 'div', ...rest }: WordsProps) {
  const isKnown = language !== null && language !== 'auto' && language !== ''
  const { direction } = describeLanguage(isKnown ? language : 'en')
  return (
    <Box component={as} dir={isKnown ? direction : 'auto'} {...(isKnown && { lang: language })} {...rest}>
      {children}
    </Box>
  )
}
