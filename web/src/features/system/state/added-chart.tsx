import type { InstanceState } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { formatDate, formatSize } from '../../../shared/format.ts'
import classes from './state.module.css'

const height = 32
const step = 8
const barWidth = 6
/** A day with little stays visible. */
const minBar = 2

/** Bytes that were added on each day, as bars from the oldest to today. */
export function AddedChart({ days }: { days: InstanceState['disk']['added'] }) {
  const total = days.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total === 0) return undefined
  const most = days.reduce((largest, day) => (day.bytes > largest.bytes ? day : largest))
  const label = t('Added in {count, plural, one {# day} other {# days}}: {total}, most on {day} with {bytes}', {
    count: days.length,
    total: formatSize(total),
    day: formatDate(most.day),
    bytes: formatSize(most.bytes),
  })
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ day, bytes }, index) => {
        const barHeight = bytes === 0 ? 0 : Math.max(minBar, (bytes / most.bytes) * height)
        return (
          <rect key={day} x={index * step} y={height - barHeight} width={barWidth} height={barHeight} rx={1}>
            <title>{`${formatDate(day)}: ${formatSize(bytes)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
