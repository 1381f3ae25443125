import { Skeleton } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from './search-skeleton.module.css'

const callCount = 3
const lineCount = 3

/** The shape of results while the first are loaded. */
export function SearchSkeleton() {
  return (
    <div role="status" aria-label={t('Searching')} className={classes.calls}>
      {Array.from({ length: callCount }, (_, call) => (
        <div key={call} className={classes.call}>
          <Skeleton height={14} width="32%" />
          {Array.from({ length: lineCount }, (__, line) => (
            <Skeleton key={line} height={12} width={`${88 - line * 16}%`} />
          ))}
        </div>
      ))}
    </div>
  )
}
