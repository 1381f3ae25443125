import type { ReactNode, Ref } from 'react'
import classes from './scrolling-list.module.css'

interface ScrollingListProps {
  /** The list's accessible name. */
  label: string
  ref?: Ref<HTMLOListElement>
  children: ReactNode
}

/** An ordered list of lines with a scroll bar of its own. */
export function ScrollingList({ label, ref, children }: ScrollingListProps) {
  return (
    <ol ref={ref} className={classes.list} aria-label={label}>
      {children}
    </ol>
  )
}
