import { isolateName } from '#contract/isolated-name.ts'
import { comma, formatNumber } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './tag-list.module.css'

/** As many as fit beside each other in most rows. */
const maxShown = 3

/** The tags of a recording; how many more there are where there is no room. */
export function TagList({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null
  const rest = tags.slice(maxShown)
  return (
    <span className={classes.tags}>
      {tags.slice(0, maxShown).map((tag) => (
        <Isolated key={tag} className={classes.tag}>
          {tag}
        </Isolated>
      ))}
      {rest.length > 0 && (
        <span className={classes.more} title={rest.map(isolateName).join(comma)}>
          +{formatNumber(rest.length)}
        </span>
      )}
    </span>
  )
}
