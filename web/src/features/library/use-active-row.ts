import { useState } from 'react'
import type { LibraryRows } from './use-library-rows.ts'

/** How many rows up and down to search for a recording after rows were inserted. */
const searchedRows = 200

/** Holds which row has the roving focus: it follows a recording that moves, otherwise it stays at the same index. */
export function useActiveRow(rows: LibraryRows) {
  const [active, setActive] = useState<{ index: number; id: string | undefined }>({ index: 0, id: undefined })
  const index = Math.max(0, Math.min(findIndex(rows, active), rows.total - 1))
  return {
    index,
    set(changed: number) {
      const id = rows.rowAt(changed)?.id
      if (active.index !== changed || active.id !== id) setActive({ index: changed, id })
    },
  }
}

function findIndex({ rowAt, total }: LibraryRows, { index, id }: { index: number; id: string | undefined }): number {
  if (id === undefined || rowAt(index)?.id === id) return index
  const from = Math.max(0, index - searchedRows)
  const to = Math.min(total, index + searchedRows)
  for (let candidate = from; candidate < to; candidate += 1) if (rowAt(candidate)?.id === id) return candidate
  return index
}
