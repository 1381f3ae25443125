import { useDirection, VisuallyHidden } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatDate } from '../../../shared/format.ts'
import classes from './day-chart.module.css'

export interface ChartDay {
  /** YYYY-MM-DD. */
  day: string
  /** Height of its bar; 0 for no bar. */
  value: number
  /** Its figures, one per column. */
  figures: string[]
}

interface DayChartProps {
  /** Oldest first. */
  days: ChartDay[]
  /** What the chart shows, with its most important figure. */
  label: string
  /** Column headings of the figures, for the table that screen readers read. */
  columns: string[]
  /** Shown instead of the chart if no day has a value. Default: nothing. */
  emptyText?: string
}

/**
 * A bar for each day. The pointer and the arrow keys choose a day, whose figures are shown below; screen readers also get the figures of
 * all days as a table.
 */
export function DayChart({ days, label, columns, emptyText }: DayChartProps) {
  const [chosen, setChosen] = useState<number>()
  const { dir } = useDirection()
  const most = Math.max(...days.map(({ value }) => value))
  if (!(most > 0)) return emptyText === undefined ? undefined : <p>{emptyText}</p>
  const last = days.length - 1
  const current = days[chosen ?? last]

  function onKeyDown(event: KeyboardEvent) {
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: -1, [forward]: 1, Home: -days.length, End: last }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    setChosen(Math.min(last, Math.max(0, (chosen ?? last) + step)))
  }

  return (
    <div className={classes.figure}>
      <div
        className={classes.bars}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={current && describe(current)}
        onKeyDown={onKeyDown}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
      >
        {days.map(({ day, value }, index) => (
          <span
            key={day}
            data-chosen={index === chosen || undefined}
            onPointerEnter={() => setChosen(index)}
            className={classes.day}
          >
            {value > 0 && <span className={classes.bar} style={{ blockSize: `${(value / most) * 100}%` }} />}
          </span>
        ))}
      </div>
      <p className={classes.caption} aria-hidden>
        {chosen === undefined || !current ? label : describe(current)}
      </p>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              {[t('Day'), ...columns].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, figures }) => (
              <tr key={day}>
                <th scope="row">{formatDate(day)}</th>
                {figures.map((figure, column) => (
                  <td key={columns[column]} colSpan={figures.length === 1 ? columns.length : 1}>
                    {figure}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  )
}

function describe({ day, figures }: ChartDay): string {
  return t('{day}: {figures}', { day: formatDate(day), figures: figures.join(' · ') })
}
