import type { ReactNode } from 'react'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import classes from './line-text.module.css'

interface LineTextProps {
  language: string | null
  children: ReactNode
  /** What the children say, where they are more than a string. */
  plainText?: string
}

/** The text of a line, as wide as its row, so that its direction decides the side it begins at. */
export function LineText(props: LineTextProps) {
  return <DirectionalText as="span" className={classes.text} {...props} />
}
