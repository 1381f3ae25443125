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
  /** Another filter shows other recordings: nothing stays selected that cannot be seen. */
  filterKey: string
  loadIds: (from: number, to: number) => Promise<string[]>
}

interface SelectionState {
  filterKey: string
  selection: Selection
  /** Where a range begins, and what was selected beside it; null: at the active row. */
  anchor: { index: number; beside: Selection } | null
}

/** Holds which recordings are selected: one by one, as a range of rows, or all that the filter shows. */
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

  /** Selects from where the last single selection was made, else from `fallbackIndex`, to a row. */
  async function selectRange(index: number, fallbackIndex: number) {
    rangeCount.current += 1
    const count = rangeCount.current
    const from = anchor?.index ?? fallbackIndex
    const beside = anchor?.beside ?? selection
    try {
      const ids = await loadIds(Math.min(from, index), Math.max(from, index))
      // A later range or click has been made in the meantime.
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
    /** Keeps what is selected; the next range begins at the active row. */
    endRange() {
      if (anchor) setState({ filterKey, selection, anchor: null })
    },
    selectAll: () => set(everythingSelected),
    clear: () => set(nothingSelected),
  }
}

export type SelectionControls = ReturnType<typeof useSelection>
