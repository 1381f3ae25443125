import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './person-name.module.css'

const arabicLetter = /\p{Script=Arabic}/u

interface PersonNameProps {
  children: string
  isCut?: boolean
}

/** A name in its own writing direction, with Arabic letters enlarged to match Latin ones visually. */
export function PersonName({ children: name, isCut = false }: PersonNameProps) {
  return (
    <Isolated isCut={isCut} className={arabicLetter.test(name) ? classes.arabic : undefined}>
      {name}
    </Isolated>
  )
}
