import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, type RefObject } from 'react'

interface RowVirtualizerOptions {
  scroller: RefObject<HTMLDivElement | null>
  total: number
  isCards: boolean
  /** The first row in view initially. */
  firstRow: number
  /** The row with the roving focus, which is always rendered. */
  activeIndex: number
}

// As in the stylesheet.
const rowPx = 56
const cardPx = 116
export const headPx = 36

/** Rows beyond the edges of the list, so that scrolling finds them rendered. */
export const overscan = 8
/** The size assumed before the list is measured. */
const initialRect = { width: 1200, height: 640 }

/** Returns the height of a table row or of a card. */
export function rowHeightPx(isCards: boolean): number {
  return isCards ? cardPx : rowPx
}

/** Returns which rows are rendered, and where. */
export function useRowVirtualizer({ scroller, total, isCards, firstRow, activeIndex }: RowVirtualizerOptions) {
  const heightPx = rowHeightPx(isCards)
  const headerPx = isCards ? 0 : headPx
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    overscan,
    scrollMargin: headerPx,
    scrollPaddingStart: headerPx,
    initialOffset: firstRow * heightPx,
    // Renders the first rows with the list, not in a second pass once its height is known.
    initialRect,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => listIndexes(range, activeIndex), [activeIndex]),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, heightPx])
  return virtualizer
}

function listIndexes(range: Range, activeIndex: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (activeIndex >= range.count || indexes.includes(activeIndex)) return indexes
  return [...indexes, activeIndex].toSorted((a, b) => a - b)
}
