import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import type { LibraryRecording } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { formatAgo, formatClock, formatMoment, comma, formatNumber } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { describeLanguages } from './describe-recording.ts'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { HitsCell } from './hits-cell.tsx'
import classes from './library-row.module.css'
import { RenameField } from './rename-field.tsx'
import { RowMenuButton } from './row-menu.tsx'
import { StateCell } from './state-cell.tsx'

interface LibraryRowProps {
  /** Undefined until its page is loaded. */
  recording: LibraryRecording | undefined
  index: number
  /** The distance from the top of the first row, in pixels. */
  start: number
  isSelected: boolean
  /** Whether this is the row that the Tab key reaches. */
  isTabStop: boolean
  isRenaming: boolean
}

/** How many tags fit side by side in most rows. */
const maxShown = 3

const barStep = 4
const laneHeight = 16
/** So that silence stays visible. */
const minBarHeight = 1

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
          // The list handles selection, since it knows about ranges.
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

/** The tags of a recording, and how many more there are beyond the first few. */
function TagList({ tags }: { tags: string[] }) {
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

/** Loudness over time, one path per channel, since a list has many of these. Decoration only. */
function Thumbnail({ peaks }: { peaks: number[][] }) {
  const barCount = Math.max(1, ...peaks.map((lane) => lane.length))
  return (
    <svg
      className={classes.thumbnail}
      viewBox={`0 0 ${barCount * barStep} ${Math.max(1, peaks.length) * laneHeight}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {peaks.map((lane, channel) => (
        // oxlint-disable-next-line react/no-array-index-key -- channels have a fixed order and no other name
        <path key={channel} className={laneClass(channel, peaks.length)} d={drawLane(lane, channel)} />
      ))}
    </svg>
  )
}

function laneClass(channel: number, channelCount: number): string | undefined {
  if (channelCount === 1) return classes.mono
  return channel === 0 ? classes.a : classes.b
}

function drawLane(lane: number[], channel: number): string {
  const middle = channel * laneHeight + laneHeight / 2
  return lane
    .map((peak, index) => {
      const height = Math.max(minBarHeight, peak * (laneHeight - 2))
      return `M${index * barStep + 2} ${(middle - height / 2).toFixed(1)}v${height.toFixed(1)}`
    })
    .join('')
}
