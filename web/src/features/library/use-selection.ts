import { useRef, useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { toastError } from '../../shared/toast.tsx'
import {
  everythingSelected,
  isSelected,
  nothingSelected,
  toggleSelected,
  withSelected,
  type Selection,
} from './selection.ts'

interface SelectionOptions {
  /** Identifies the filter. Under another filter nothing is selected, so that no unseen recording is. */
  filterKey: string
  loadIds: (from: number, to: number) => Promise<string[]>
}

interface SelectionState {
  filterKey: string
  selection: Selection
  /** Where a range starts, and what was selected besides it; null means that it starts at the active row. */
  anchor: { index: number; beside: Selection } | null
}

/** Holds which recordings are selected: one by one, as a range of rows, or all that match the filter. */
export function useSelection({ filterKey, loadIds }: SelectionOptions) {
  const initial = { filterKey, selection: nothingSelected, anchor: null }
  const [held, setState] = useState<SelectionState>(initial)
  const state = held.filterKey === filterKey ? held : initial
  const { selection, anchor } = state
  const rangeCount = useRef(0)

  function set(changed: Selection, index?: number) {
    rangeCount.current += 1
    setState({ filterKey, selection: changed, anchor: index === undefined ? null : { index, beside: changed } })
  }

  /** Selects the rows from the last single selection, or from `fallbackIndex` if there is none, to `index`. */
  async function selectRange(index: number, fallbackIndex: number) {
    rangeCount.current += 1
    const count = rangeCount.current
    const from = anchor?.index ?? fallbackIndex
    const beside = anchor?.beside ?? selection
    try {
      const ids = await loadIds(Math.min(from, index), Math.max(from, index))
      // A later range or click has replaced this one.
      if (count !== rangeCount.current) return
      setState({ filterKey, selection: withSelected(beside, ids, true), anchor: { index: from, beside } })
    } catch (error) {
      toastError(messageOf(error, t('Network error. Please try again.')))
    }
  }

  return {
    selection,
    isSelected: (id: string) => isSelected(selection, id),
    selectOnly: (id: string, index: number) => set(withSelected(nothingSelected, [id], true), index),
    toggle: (id: string, index: number) => set(toggleSelected(selection, id), index),
    selectRange,
    /** Keeps the selection; the next range starts at the active row. */
    endRange() {
      if (anchor) setState({ filterKey, selection, anchor: null })
    },
    selectAll: () => set(everythingSelected),
    clear: () => set(nothingSelected),
  }
}

export type SelectionControls = ReturnType<typeof useSelection>
