import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef, type MouseEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import classes from './library-list.module.css'
import { LibraryRow } from './library-row.tsx'
import { ListHead } from './list-head.tsx'
import { countSelected } from './selection.ts'
import type { useActiveRow } from './use-active-row.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { type LibraryRows, pageOf, type PageSpan } from './use-library-rows.ts'
import type { LibraryViewState } from './use-library-view.ts'
import { headPx, overscan, rowHeightPx, useRowVirtualizer } from './use-row-virtualizer.ts'
import type { SelectionControls } from './use-selection.ts'

interface LibraryListProps {
  view: LibraryViewState
  rows: LibraryRows
  selection: SelectionControls
  active: ReturnType<typeof useActiveRow>
  renamedId: string | null
  onSpan: (span: PageSpan) => void
  /** Deletes the selection, or the row at an index. */
  onRemove: (index: number) => void
  onRename: (index: number) => void
}

/** How long scrolling must pause before the place in the list is written to the address. */
const settleMs = 250
/** On narrower screens, rows are cards. */
const cardsQuery = '(max-width: 60em)'

/** All recordings that match the filter, as a grid; only those in view are rendered. One row has the roving focus. */
export function LibraryList(props: LibraryListProps) {
  const { view, rows, selection, active, renamedId, onSpan } = props
  const { total } = rows
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const isCards = useMediaQuery(cardsQuery, undefined, { getInitialValueInEffect: false }) === true
  const heightPx = rowHeightPx(isCards)
  const activeIndex = active.index
  const virtualizer = useRowVirtualizer({ scroller, total, isCards, firstRow: view.row, activeIndex })

  const firstInView = virtualizer.range?.startIndex ?? view.row
  const lastInView = virtualizer.range?.endIndex ?? view.row
  const span = { first: pageOf(Math.max(0, firstInView - overscan)), last: pageOf(lastInView + overscan) }
  useEffect(() => onSpan({ first: span.first, last: span.last }), [onSpan, span.first, span.last])
  useKeepPlace({ view, firstInView: firstRowInView(virtualizer.scrollOffset, heightPx), scrollTo: showRow })

  function showRow(index: number) {
    virtualizer.scrollToOffset(index * heightPx)
  }

  const focusRow = useGridFocus({ scroller, activeIndex })
  function moveTo(index: number) {
    active.set(index)
    virtualizer.scrollToIndex(index, { align: 'auto' })
    focusRow()
  }

  function open(index: number) {
    const recording = rows.rowAt(index)
    if (recording) void navigate(`/transcribe?recording=${recording.id}`)
  }

  const onKeyDown = useGridKeys({ ...props, total, pageRows: Math.max(1, lastInView - firstInView), moveTo, open })

  const onClick = useRowClicks({ ...props, isCards, open })

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows have the roving focus
    <div
      ref={scroller}
      role="grid"
      aria-label={t('Recordings')}
      aria-rowcount={total + 1}
      aria-colcount={8}
      aria-multiselectable
      aria-busy={rows.isStale || undefined}
      className={classes.grid}
      data-cards={isCards || undefined}
      onClick={onClick}
      onDoubleClick={(event) => {
        const place = findRow(event)
        if (place?.control === 'row') open(place.index)
      }}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const index = target.closest<HTMLElement>('[data-index]')?.dataset.index
        if (index !== undefined) active.set(Number(index))
      }}
    >
      <ListHead
        order={view.order}
        onOrder={view.setOrder}
        total={total}
        isAllSelected={allSelected(countSelected(selection.selection, total), total)}
        onSelectAll={(isOn) => (isOn ? selection.selectAll() : selection.clear())}
      />
      <div role="rowgroup" className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const recording = rows.rowAt(index)
          return (
            <LibraryRow
              key={recording?.id ?? index}
              recording={recording}
              index={index}
              start={start - (isCards ? 0 : headPx)}
              isSelected={recording !== undefined && selection.isSelected(recording.id)}
              isTabStop={index === activeIndex}
              isRenaming={recording !== undefined && recording.id === renamedId}
            />
          )
        })}
      </div>
    </div>
  )
}

interface ClickOptions extends LibraryListProps {
  isCards: boolean
  open: (index: number) => void
}

/** Returns the click handler of the grid: a click selects, Ctrl adds one, Shift selects a range; a click on a card opens it. */
function useRowClicks({ rows, selection, active, isCards, open }: ClickOptions) {
  return (event: MouseEvent<HTMLElement>) => {
    const place = findRow(event)
    const recording = place && rows.rowAt(place.index)
    if (!recording) return
    const { index, control } = place
    const previous = active.index
    active.set(index)
    if (control === 'other') return
    if (event.shiftKey) void selection.selectRange(index, previous)
    else if (control === 'checkbox' || event.ctrlKey || event.metaKey) selection.toggle(recording.id, index)
    else if (!isCards) selection.selectOnly(recording.id, index)
    else if (countSelected(selection.selection, rows.total) > 0) selection.toggle(recording.id, index)
    else open(index)
  }
}

interface PlaceOptions {
  view: LibraryViewState
  firstInView: number
  scrollTo: (index: number) => void
}

/** Keeps the first row in view in the address, and scrolls to the address's row when another list is shown. */
function useKeepPlace({ view: { query, row, setRow }, firstInView, scrollTo }: PlaceOptions) {
  const shown = useRef(query)
  useEffect(() => {
    if (shown.current === query) return
    shown.current = query
    scrollTo(row)
  })
  useEffect(() => {
    if (firstInView === row || shown.current !== query) return
    const timer = setTimeout(() => setRow(firstInView), settleMs)
    return () => clearTimeout(timer)
  }, [firstInView, row, query, setRow])
}

function firstRowInView(offset: number | null, heightPx: number): number {
  return Math.max(0, Math.round((offset ?? 0) / heightPx))
}

function allSelected(count: number, total: number): boolean | null {
  if (count === 0) return false
  return count === total ? true : null
}

interface RowPlace {
  index: number
  /** `other`: a link, button or field that does something else. */
  control: 'row' | 'checkbox' | 'other'
}

/** Returns the row of an event; undefined outside the list, such as in a menu. */
function findRow({ target, currentTarget }: MouseEvent<HTMLElement>): RowPlace | undefined {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return undefined
  const index = target.closest<HTMLElement>('[data-index]')?.dataset.index
  if (index === undefined) return undefined
  if (target.closest('[data-select]')) return { index: Number(index), control: 'checkbox' }
  return { index: Number(index), control: target.closest('a, button, input') ? 'other' : 'row' }
}
