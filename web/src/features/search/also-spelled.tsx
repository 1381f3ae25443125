import type { AlsoSpelled as SpelledName } from '#contract/endpoints/search.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './also-spelled.module.css'

/** The other spellings that names of the query were found in. */
export function AlsoSpelled({ names }: { names: SpelledName[] }) {
  if (names.length === 0) return null
  return (
    <dl className={classes.names} aria-label={t('Also spelled')}>
      {names.map(({ name, spellings }) => (
        <div key={name}>
          <dt>{rich('{name} also spelled', { name: <Isolated>{name}</Isolated> })}</dt>
          {spellings.map((spelling) => (
            <dd key={spelling}>
              <Isolated>{spelling}</Isolated>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
