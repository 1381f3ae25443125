import type { LibraryOrder } from '#contract/library.ts'

interface Column {
  name: string
  /** Missing where recordings have no order by it. */
  sort?: LibraryOrder['sort']
  isNumber?: boolean
}

/** The columns between the checkbox and the menu. */
export const columns: Column[] = [
  { name: 'Name', sort: 'name' },
  { name: 'Added', sort: 'created' },
  { name: 'Duration', sort: 'duration', isNumber: true },
  { name: 'Languages' },
  { name: 'Hits', sort: 'hits' },
  { name: 'State', sort: 'state' },
]

/** What is asked for first: names from A, states from what runs, else the newest, longest and most. */
const ascendingFirst: ReadonlySet<LibraryOrder['sort']> = new Set(['name', 'state'])

/** Returns the order after a column was chosen: chosen again, it is reversed. */
export function reorder(order: LibraryOrder, sort: LibraryOrder['sort']): LibraryOrder {
  if (order.sort === sort) return { sort, order: order.order === 'asc' ? 'desc' : 'asc' }
  return { sort, order: ascendingFirst.has(sort) ? 'asc' : 'desc' }
}
