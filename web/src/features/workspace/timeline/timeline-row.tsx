import type { ReactNode } from 'react'
import { LineTime } from './line-time.tsx'
import classes from './timeline-row.module.css'

interface TimelineRowProps {
  time: string
  /** Who speaks, beside the time. */
  speaker?: ReactNode
  /** Whether this line is the one spoken now. */
  isCurrent?: boolean
  title?: string | undefined
  onSelect: () => void
  /** The text of the line. */
  children: ReactNode
}

/** One line of a timeline, as a button that seeks to it. */
export function TimelineRow({ time, speaker, isCurrent = false, title, onSelect, children }: TimelineRowProps) {
  return (
    <button
      type="button"
      className={classes.row}
      aria-current={isCurrent || undefined}
      title={title}
      onClick={onSelect}
    >
      <LineTime>{time}</LineTime>
      {speaker}
      <span className={classes.text}>{children}</span>
    </button>
  )
}
