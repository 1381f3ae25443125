import { useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, type RefObject } from 'react'
import { estimateHeight } from './estimate-height.ts'
import type { RowContext } from './line-row.tsx'
import type { ListItem } from './list-items.ts'

export type LineVirtualizer = Virtualizer<HTMLOListElement, HTMLLIElement>

interface LineVirtualizerOptions {
  list: RefObject<HTMLOListElement | null>
  items: ListItem[]
  context: RowContext
  isStacked: boolean
  /** The row with the roving focus, which is rendered wherever it is. */
  activeIndex: number | undefined
}

/** Rows beyond the edges of the list, so that scrolling finds them rendered. */
const overscan = 6

/** Returns which rows are rendered. Their positions are written without rendering the list. */
export function useLineVirtualizer({ list, items, context, isStacked, activeIndex }: LineVirtualizerOptions) {
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer<HTMLOListElement, HTMLLIElement>({
    count: items.length,
    getScrollElement: () => list.current,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    estimateSize: (index) =>
      estimateHeight(items[index], context, { width: list.current?.clientWidth ?? 0, isStacked }),
    rangeExtractor: useCallback((range: Range) => listIndexes(range, activeIndex), [activeIndex]),
    overscan,
    directDomUpdates: true,
  })
  return { virtualizer, rows: virtualizer.getVirtualItems(), containerRef: virtualizer.containerRef }
}

function listIndexes({ startIndex, endIndex, overscan, count }: Range, activeIndex: number | undefined): number[] {
  const from = Math.max(0, startIndex - overscan)
  const to = Math.min(count - 1, endIndex + overscan)
  const indexes = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (activeIndex === undefined || (activeIndex >= from && activeIndex <= to)) return indexes
  return activeIndex < from ? [activeIndex, ...indexes] : [...indexes, activeIndex]
}
