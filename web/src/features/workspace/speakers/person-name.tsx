import { Isolated } from '../../../shared/ui/isolated.tsx'
import classes from './person-name.module.css'

const arabicLetter = /\p{Script=Arabic}/u

/** A name in its own direction; Arabic letters as large as Latin ones look. */
export function PersonName({ children: name }: { children: string }) {
  return <Isolated className={arabicLetter.test(name) ? classes.arabic : undefined}>{name}</Isolated>
}
