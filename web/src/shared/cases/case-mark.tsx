import type { CSSProperties } from 'react'
import type { CaseColour } from '#contract/cases.ts'
import classes from './case-mark.module.css'

/** The colour of a case, shown beside its name: it conveys nothing that the name does not. */
export function CaseMark({ colour }: { colour: CaseColour }) {
  return (
    <span className={classes.mark} style={{ '--case': `var(--awaz-case-${colour})` } as CSSProperties} aria-hidden />
  )
}
