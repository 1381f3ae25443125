import { Menu } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { columns, sortOrders, reorder } from './list-columns.ts'
import { FilterButton } from './filter-menu.tsx'
import type { LibraryViewState } from './use-library-view.ts'

/** Sorts cards by any column, and by what has no column. Choosing an order again reverses it. */
export function SortMenu({ view: { order, setOrder } }: { view: LibraryViewState }) {
  const isByColumn = columns.some(({ sort }) => sort === order.sort)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <FilterButton label={t('Sort')} count={isByColumn ? 0 : 1} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('Sort')}>
        {sortOrders.map(({ name, sort }) => (
          <Menu.CheckboxItem key={sort} checked={order.sort === sort} onChange={() => setOrder(reorder(order, sort))}>
            {name}
            {order.sort === sort && (order.order === 'asc' ? ' ↑' : ' ↓')}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
