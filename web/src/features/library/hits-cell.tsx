import type { LibraryRecording } from '#contract/library.ts'
import { formatNumber } from '../../shared/format.ts'
import { CategoryIcon } from '../../shared/keywords/category.tsx'
import { categoryNames, listHits } from './describe-recording.ts'
import classes from './hits-cell.module.css'

/** How many keywords of each category were found; categories without hits are left out. */
export function HitsCell({ recording }: { recording: LibraryRecording }) {
  return (
    <span className={classes.hits}>
      {listHits(recording).map(({ category, count }) => (
        <span key={category} className={classes.hit} data-category={category} title={categoryNames[category]}>
          <CategoryIcon category={category} size={14} />
          <span>{formatNumber(count)}</span>
          <span className={classes.name}> {categoryNames[category]}</span>
        </span>
      ))}
    </span>
  )
}
