import type { KeyboardEvent } from 'react'
import type { LineVirtualizer } from './use-line-virtualizer.ts'

interface RowKeysOptions {
  virtualizer: LineVirtualizer
  rowCount: number
  /** The index of the row with the roving focus. */
  current: number
  /** Moves the roving focus to the nearest line at or beyond an index, in the given direction. */
  moveTo: (index: number, direction: 1 | -1) => void
  /** Seeks to the row at an index. */
  select: (index: number) => void
}

/** Returns the key handler of a list with a roving focus: arrows, Home, End, PageUp and PageDown move, Enter seeks. */
export function useRowKeys({ virtualizer, rowCount, current, moveTo, select }: RowKeysOptions) {
  const last = rowCount - 1

  function pageFrom(direction: 1 | -1): number {
    const height = virtualizer.scrollRect?.height ?? 0
    const start = virtualizer.measurementsCache[current]?.start ?? 0
    const index = virtualizer.getVirtualItemForOffset(Math.max(0, start + direction * height))?.index ?? current
    return index === current ? current + direction : index
  }

  const moves: Record<string, () => void> = {
    ArrowDown: () => moveTo(current + 1, 1),
    ArrowUp: () => moveTo(current - 1, -1),
    PageDown: () => moveTo(Math.min(last, pageFrom(1)), 1),
    PageUp: () => moveTo(Math.max(0, pageFrom(-1)), -1),
    Home: () => moveTo(0, 1),
    End: () => moveTo(last, -1),
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTextOrMenu(event)) return
    // A button in the row handles Enter itself.
    const isButton = event.target instanceof Element && event.target.closest('button') !== null
    const action = event.key === 'Enter' && !isButton ? () => select(current) : moves[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
}

/** Returns whether a key event belongs to a text field or a menu, which may be outside the list. */
function isTextOrMenu({ target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return true
  return target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null
}
