import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'
import type { RowContext } from './line-row.tsx'
import type { ConversationItem } from './list-items.ts'
import { type LineField, textOf } from './search-lines.ts'

/** Of a heading, and of what is in a row beside its text lines. */
const headingPx = 56
const rowPaddingPx = 13
const lineHeightPx = 28
const characterPx = 8
/** Of time, speaker and menu. */
const otherColumnsPx = 190
/** The measure of line-list.module.css. */
const maxTextPx = 672
const stackedBelowPx = 640
const metaLinePx = 26

interface ListShape {
  fields: readonly LineField[]
  isStacked: boolean
  /** Of the list, in pixels. */
  width: number
}

/** Estimates the heights of rows before they are measured, so that the list hardly moves when they are. */
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
  /** The row with the roving focus, which is rendered wherever it is. */
  activeIndex: number | undefined
}

/** Rows beyond the edges of the list, so that scrolling finds them rendered. */
const overscan = 6
/** Before it is measured. */
const defaultWidthPx = 896
const defaultHeightPx = 400
/** Estimates are not finer than this. */
const widthStepPx = 32

/** Returns which rows are rendered. Their positions are written without rendering the list. */
export function useLineVirtualizer({ list, items, context, isStacked, activeIndex }: LineVirtualizerOptions) {
  const width = useWidth(list)
  const { fields } = context
  // Both new with either of them: other estimates apply only once the keys are others.
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
    // The first rows are rendered with the list, not in a second pass once its height is known.
    initialRect: { width: defaultWidthPx, height: defaultHeightPx },
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  })
  return { virtualizer, rows: virtualizer.getVirtualItems(), containerRef: virtualizer.containerRef }
}

/** Returns the width of an element, without forcing a layout: estimates are asked for in the middle of scrolling. */
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
