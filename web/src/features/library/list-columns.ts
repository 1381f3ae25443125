import type { LibraryOrder } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'

interface Column {
  id: string
  name: string
  /** Missing where recordings have no order by it. */
  sort?: LibraryOrder['sort']
  isNumber?: boolean
}

/** The columns between the checkbox and the menu. */
export const columns: Column[] = [
  { id: 'name', name: t('Name'), sort: 'name' },
  { id: 'created', name: t('Added'), sort: 'created' },
  { id: 'duration', name: t('Duration'), sort: 'duration', isNumber: true },
  { id: 'languages', name: t('Languages') },
  { id: 'hits', name: t('Hits'), sort: 'hits' },
  { id: 'state', name: t('State'), sort: 'state' },
]

/** What recordings can be sorted by: the columns, and how much was read, which the column of the state shows as a bar. */
export const sortOrders: { sort: LibraryOrder['sort']; name: string }[] = [
  ...columns.flatMap(({ sort, name }) => (sort ? [{ sort, name }] : [])),
  { sort: 'heard', name: t('Heard by you') },
  { sort: 'verified', name: t('Verified') },
]

/** What is asked for first: names from A, states from what runs, what was read from the least, else the newest, longest and most. */
const ascendingFirst: ReadonlySet<LibraryOrder['sort']> = new Set(['name', 'state', 'heard', 'verified'])

/** Returns the order after a column was chosen: chosen again, it is reversed. */
export function reorder(order: LibraryOrder, sort: LibraryOrder['sort']): LibraryOrder {
  if (order.sort === sort) return { sort, order: order.order === 'asc' ? 'desc' : 'asc' }
  return { sort, order: ascendingFirst.has(sort) ? 'asc' : 'desc' }
}
