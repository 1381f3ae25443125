import { Link } from 'react-router-dom'
import type { CaseColour } from '#contract/cases.ts'
import classes from './case-chip.module.css'
import { CaseMark } from './case-mark.tsx'

interface CaseChipProps {
  shown: { id: string; name: string; colour: CaseColour }
}

/** The name of a case, which leads to it. */
export function CaseChip({ shown: { id, name, colour } }: CaseChipProps) {
  return (
    <Link to={`/cases?case=${id}`} className={classes.chip} title={name}>
      <CaseMark colour={colour} />
      <bdi className={classes.name}>{name}</bdi>
    </Link>
  )
}
