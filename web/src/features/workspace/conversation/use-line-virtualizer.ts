import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'
import type { RowContext } from './line-row.tsx'
import type { ConversationItem } from './list-items.ts'
import { type LineField, textOf } from './search-lines.ts'

/** The height of a heading, and of a row without its lines of text. */
const headingPx = 56
const rowPaddingPx = 13
const lineHeightPx = 28
const characterPx = 8
/** The width of time, speaker and menu. */
const otherColumnsPx = 190
/** The maximum text width in line-list.module.css. */
const maxTextPx = 672
const stackedBelowPx = 640
const metaLinePx = 26

interface ListShape {
  fields: readonly LineField[]
  isStacked: boolean
  /** The width of the list, in pixels. */
  width: number
}

/** Estimates the heights of rows before they are measured, so that the list barely moves when they are. */
function estimateHeights(items: readonly ConversationItem[], shape: ListShape): number[] {
  const { fields, isStacked, width } = shape
  const isNarrow = width < stackedBelowPx
  const isBeside = fields.length > 1 && !isStacked && !isNarrow
  const room = (isNarrow ? width - 24 : width - otherColumnsPx) / (isBeside ? 2 : 1)
  const textWidth = Math.min(maxTextPx, Math.max(160, room))
  return items.map(({ line }) => {
    if (!line) return headingPx
    const lineCounts = fields.map((field) => {
      return Math.max(1, Math.ceil((textOf(line, field).length * characterPx) / textWidth))
    })
    const lineCount = isBeside ? Math.max(...lineCounts) : lineCounts.reduce((sum, count) => sum + count, 0)
    return rowPaddingPx + lineCount * lineHeightPx + (isNarrow ? metaLinePx : 0)
  })
}

export type LineVirtualizer = Virtualizer<HTMLOListElement, HTMLLIElement>

interface LineVirtualizerOptions {
  list: RefObject<HTMLOListElement | null>
  items: ConversationItem[]
  context: RowContext
  isStacked: boolean
  /** The row with the roving focus, which is always rendered. */
  activeIndex: number | undefined
}

/** Rows beyond the edges of the list, so that scrolling finds them rendered. */
const overscan = 6
/** The size assumed before the list is measured. */
const defaultWidthPx = 896
const defaultHeightPx = 400
/** Widths are rounded to this for the estimates. */
const widthStepPx = 32

/** Returns which rows are rendered. Their positions are written without rendering the list. */
export function useLineVirtualizer({ list, items, context, isStacked, activeIndex }: LineVirtualizerOptions) {
  const width = useWidth(list)
  const { fields } = context
  // Both functions change together: the virtualizer only uses new estimates once the key function changes.
  const { keyOf, heightOf } = useMemo(() => {
    const heights = estimateHeights(items, { fields, isStacked, width })
    return { keyOf: (index: number) => items[index]?.id ?? index, heightOf: (index: number) => heights[index] ?? 0 }
  }, [items, fields, isStacked, width])
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer<HTMLOListElement, HTMLLIElement>({
    count: items.length,
    getScrollElement: () => list.current,
    getItemKey: keyOf,
    estimateSize: heightOf,
    rangeExtractor: useCallback((range: Range) => listIndexes(range, activeIndex), [activeIndex]),
    overscan,
    // Renders the first rows with the list, not in a second pass once its height is known.
    initialRect: { width: defaultWidthPx, height: defaultHeightPx },
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  })
  return { virtualizer, rows: virtualizer.getVirtualItems(), containerRef: virtualizer.containerRef }
}

/** Returns the width of an element without forcing a layout, since estimates are needed while scrolling. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(defaultWidthPx)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.round(entry.contentRect.width / widthStepPx) * widthStepPx)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

function listIndexes({ startIndex, endIndex, overscan, count }: Range, activeIndex: number | undefined): number[] {
  const from = Math.max(0, startIndex - overscan)
  const to = Math.min(count - 1, endIndex + overscan)
  const indexes = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (activeIndex === undefined || (activeIndex >= from && activeIndex <= to)) return indexes
  return activeIndex < from ? [activeIndex, ...indexes] : [...indexes, activeIndex]
}
