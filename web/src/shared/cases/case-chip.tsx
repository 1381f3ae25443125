import { Link } from 'react-router-dom'
import type { CaseColour } from '#contract/cases.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { Isolated } from '../ui/isolated.tsx'
import classes from './case-chip.module.css'
import { CaseMark } from './case-mark.tsx'

interface CaseChipProps {
  shown: { id: string; name: string; colour: CaseColour }
}

/** The name of a case, which leads to it. */
export function CaseChip({ shown: { id, name, colour } }: CaseChipProps) {
  return (
    <Link to={`/cases?case=${id}`} className={classes.chip} title={isolateName(name)}>
      <CaseMark colour={colour} />
      <Isolated className={classes.name}>{name}</Isolated>
    </Link>
  )
}
