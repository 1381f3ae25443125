import type { ReactNode } from 'react'
import classes from './meta-line.module.css'

/** Facts of a row, each in a span, separated by dots. */
export function MetaLine({ children }: { children: ReactNode }) {
  return <p className={classes.line}>{children}</p>
}
