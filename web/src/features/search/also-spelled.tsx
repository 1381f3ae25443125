import type { AlsoSpelled as SpelledName } from '#contract/endpoints/search.ts'
import classes from './also-spelled.module.css'

/** The other spellings that names of the query were found in. */
export function AlsoSpelled({ names }: { names: SpelledName[] }) {
  if (names.length === 0) return null
  return (
    <dl className={classes.names} aria-label="Also spelled">
      {names.map(({ name, spellings }) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi> also spelled
          </dt>
          {spellings.map((spelling) => (
            <dd key={spelling}>
              <bdi>{spelling}</bdi>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
