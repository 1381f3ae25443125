import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import type { LibraryRecording } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatClock, formatMoment } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { describeLanguages } from './describe-recording.ts'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { HitsCell } from './hits-cell.tsx'
import classes from './library-row.module.css'
import { RenameField } from './rename-field.tsx'
import { RowMenuButton } from './row-menu.tsx'
import { StateCell } from './state-cell.tsx'
import { TagList } from './tag-list.tsx'
import { Thumbnail } from './thumbnail.tsx'

interface LibraryRowProps {
  /** Undefined until its page is loaded. */
  recording: LibraryRecording | undefined
  index: number
  /** Pixels from the first row. */
  start: number
  isSelected: boolean
  /** Whether it is the row in the order of Tab. */
  isTabStop: boolean
  isRenaming: boolean
}

/** One recording. Clicks and keys are handled by the list. */
export const LibraryRow = memo(function LibraryRow(props: LibraryRowProps) {
  const { recording, index, start, isSelected, isTabStop } = props
  return (
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${start}px)` }}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={!recording || undefined}
      tabIndex={isTabStop ? 0 : -1}
    >
      {recording ? <Cells {...props} recording={recording} /> : <Placeholder />}
    </div>
  )
})

function Placeholder() {
  return (
    <div role="gridcell" className={classes.skeleton}>
      <VisuallyHidden>{t('Loading')}</VisuallyHidden>
    </div>
  )
}

function Cells({ recording, isSelected, isTabStop, isRenaming }: LibraryRowProps & { recording: LibraryRecording }) {
  const tabIndex = isTabStop ? 0 : -1
  const { from, to } = describeLanguages(recording)
  return (
    <>
      <div role="gridcell" className={classes.check}>
        <input
          type="checkbox"
          className={classes.checkbox}
          data-select
          tabIndex={tabIndex}
          aria-label={t('Select {name}', { name: recording.name })}
          checked={isSelected}
          // The list selects, which knows about ranges.
          onChange={() => undefined}
        />
      </div>
      <div role="rowheader" className={classes.name}>
        <span className={classes.thumb}>
          <Thumbnail peaks={recording.peaks} />
        </span>
        <span className={classes.facts}>
          {isRenaming ? (
            <RenameField recording={recording} />
          ) : (
            <Link to={`/transcribe?recording=${recording.id}`} className={classes.link} tabIndex={tabIndex}>
              <Isolated isCut>{recording.name}</Isolated>
            </Link>
          )}
          {(recording.is_held || recording.tags.length > 0) && (
            <span className={classes.labels}>
              {recording.is_held && <HoldBadge />}
              <TagList tags={recording.tags} />
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" className={classes.date} title={formatMoment(recording.created_at)}>
        {formatAgo(recording.created_at)}
      </div>
      <div role="gridcell" className={classes.duration}>
        {formatClock(recording.duration)}
      </div>
      <div role="gridcell" className={classes.languages}>
        <span>{from}</span>
        {to && <span className={classes.to}>{t('→ {to}', { to })}</span>}
      </div>
      <div role="gridcell" className={classes.hits}>
        <HitsCell recording={recording} />
      </div>
      <div role="gridcell" className={classes.stateCell}>
        <StateCell recording={recording} />
      </div>
      <div role="gridcell" className={classes.menu}>
        <RowMenuButton recording={recording} tabIndex={tabIndex} />
      </div>
    </>
  )
}
