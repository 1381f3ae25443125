import { Menu } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { columns, reorder } from './list-columns.ts'
import classes from './filter-bar.module.css'
import { FilterButton } from './filter-menu.tsx'
import type { LibraryViewState } from './use-library-view.ts'

/** Sorts where there are cards, which have no columns. Chosen again, an order is reversed. */
export function SortMenu({ view: { order, setOrder } }: { view: LibraryViewState }) {
  return (
    <span className={classes.sort}>
      <Menu position="bottom-start">
        <Menu.Target>
          <FilterButton label={t('Sort')} count={0} />
        </Menu.Target>
        <Menu.Dropdown aria-label={t('Sort')}>
          {columns.map(
            ({ name, sort }) =>
              sort && (
                <Menu.CheckboxItem
                  key={sort}
                  checked={order.sort === sort}
                  onChange={() => setOrder(reorder(order, sort))}
                >
                  {name}
                  {order.sort === sort && (order.order === 'asc' ? ' ↑' : ' ↓')}
                </Menu.CheckboxItem>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
