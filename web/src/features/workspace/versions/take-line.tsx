import { Button } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useAnnounce } from '../state/announce.ts'
import { textOf, type AlignedLines } from './align-versions.ts'
import classes from './compare-list.module.css'

interface TakeLineProps {
  row: AlignedLines
  /** The number of the other version. */
  number: number
}

/** Copies another version's text into the current line, as an undoable correction. Not shown if the current version has several lines. */
export function TakeLine({ row, number }: TakeLineProps) {
  const { lines, editing } = useDesk()
  const { canEdit } = usePermissions()
  const announce = useAnnounce()
  const [current, ...others] = row.b
  const text = textOf(row.a)
  if (!canEdit || !current || others.length > 0 || text === '' || text === textOf(row.b)) return null
  const line = lines.find(({ segment }) => {
    return segment?.start === current.start && segment.end === current.end && segment.text === current.text
  })
  if (!line) return null
  return (
    <Button
      className={classes.take}
      size="compact-xs"
      variant="default"
      aria-label={t('Take from version {number, number}: the line at {start}', {
        number,
        start: formatClock(current.start),
      })}
      onClick={() => {
        editing.changeText(line, text)
        announce(t('Line taken'))
      }}
    >
      {t('Take from version {number, number}', { number })}
    </Button>
  )
}
