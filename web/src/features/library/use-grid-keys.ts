import type { KeyboardEvent } from 'react'
import type { useActiveRow } from './use-active-row.ts'
import type { LibraryRows } from './use-library-rows.ts'
import type { SelectionControls } from './use-selection.ts'

interface GridKeysOptions {
  rows: LibraryRows
  selection: SelectionControls
  active: ReturnType<typeof useActiveRow>
  total: number
  /** How many rows are in view. */
  pageRows: number
  moveTo: (index: number) => void
  open: (index: number) => void
  onRemove: (index: number) => void
  onRename: (index: number) => void
}

/**
 * Returns the key handler of the grid: arrows, Home, End, PageUp and PageDown move, and with Shift also select; Space selects, Ctrl-A
 * selects all that match the filter, Escape clears the selection; Enter opens, F2 renames, Delete deletes.
 */
export function useGridKeys(options: GridKeysOptions) {
  const { rows, selection, active, total, pageRows, moveTo, open, onRemove, onRename } = options
  const { index } = active
  const targets: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + pageRows,
    PageUp: index - pageRows,
    Home: 0,
    End: total - 1,
  }
  const acts: Record<string, () => void> = {
    ' ': () => toggle(),
    Enter: () => open(index),
    F2: () => onRename(index),
    Delete: () => onRemove(index),
    Escape: () => selection.clear(),
  }

  function toggle() {
    const recording = rows.rowAt(index)
    if (recording) selection.toggle(recording.id, index)
  }

  function move(key: string, isRange: boolean) {
    const wanted = Math.max(0, Math.min(targets[key] ?? index, total - 1))
    moveTo(wanted)
    if (isRange) void selection.selectRange(wanted, index)
    else selection.endRange()
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event
    // Events of a row's menus and dialogs arrive here too, though they are elsewhere on the page.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.matches('input:not([type])')) return
    if (event.code === 'KeyA' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      selection.selectAll()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isInRow = target.closest('[data-index]') !== null
    const isOnControl = target.closest('a, button, input') !== null
    if (targets[key] !== undefined) move(key, event.shiftKey)
    else if (acts[key] && isInRow && !(isOnControl && (key === ' ' || key === 'Enter'))) acts[key]()
    else return
    event.preventDefault()
  }
}
