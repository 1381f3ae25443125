import type { LibraryOrder } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'

interface Column {
  id: string
  name: string
  /** Missing if recordings cannot be sorted by this column. */
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

/** What recordings can be sorted by: the columns, and how much was heard or verified, shown as a bar in the state column. */
export const sortOrders: { sort: LibraryOrder['sort']; name: string }[] = [
  ...columns.flatMap(({ sort, name }) => (sort ? [{ sort, name }] : [])),
  { sort: 'heard', name: t('Heard by you') },
  { sort: 'verified', name: t('Verified') },
]

/** Sort keys that start ascending: names from A, states from running, review progress from the least. Others start descending. */
const ascendingFirst: ReadonlySet<LibraryOrder['sort']> = new Set(['name', 'state', 'heard', 'verified'])

/** Returns the order after a column is chosen; choosing it again reverses it. */
export function reorder(order: LibraryOrder, sort: LibraryOrder['sort']): LibraryOrder {
  if (order.sort === sort) return { sort, order: order.order === 'asc' ? 'desc' : 'asc' }
  return { sort, order: ascendingFirst.has(sort) ? 'asc' : 'desc' }
}
