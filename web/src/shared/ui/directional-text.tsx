import { Box, type BoxProps } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { describeLanguage } from '#contract/languages.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'

interface DirectionalTextProps extends BoxProps {
  /** ISO 639-1 code; null, `auto` or `multi` if unknown: the browser then determines the direction from the text. */
  language: string | null
  children: ReactNode
  /** The text of the children, if they are more than a string. */
  plainText?: string
  className?: string
  style?: CSSProperties
  as?: 'div' | 'span' | 'p'
}

const unknownLanguages = new Set(['', 'auto', 'multi'])
const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const leftToRightLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u

/**
 * A text in its own language, direction and typeface. A line without any letter of that direction is in another language, as in a
 * two-language call: the browser determines its direction from the letters.
 */
export function DirectionalText({ language, children, plainText, as = 'div', ...rest }: DirectionalTextProps) {
  const text = typeof children === 'string' ? children : plainText
  return (
    <Box component={as} {...directionalAttributes(language, text)} {...rest}>
      {children}
    </Box>
  )
}

/** Returns `lang` and `dir` for an element with such a text; for rows of long lists, where every component adds to the cost. */
export function directionalAttributes(language: string | null, text: string | undefined) {
  const isNamed = language !== null && !unknownLanguages.has(language)
  const { direction } = describeLanguage(isNamed ? language : 'en')
  const isKnown = isNamed && !(text !== undefined && isOfOtherDirection(text, direction))
  return isKnown ? { lang: language, dir: direction } : { dir: 'auto' as const }
}

/** Returns the direction of such a text: that of its language, else that of its first letter, as with `dir="auto"`. */
export function readingDirection(language: string | null, text: string): 'ltr' | 'rtl' {
  const { dir } = directionalAttributes(language, text)
  if (dir !== 'auto') return dir
  return rightToLeftLetter.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
}

/** Returns whether such a text reads against the direction of the page: a row then puts its time and speaker on the other side. */
export function readsAgainstPage(language: string | null, text: string): boolean {
  return readingDirection(language, text) !== interfaceLanguages[currentLanguage()].direction
}

function isOfOtherDirection(text: string, direction: 'ltr' | 'rtl'): boolean {
  const hasLeft = leftToRightLetter.test(text)
  const hasRight = rightToLeftLetter.test(text)
  return direction === 'rtl' ? hasLeft && !hasRight : hasRight && !hasLeft
}
