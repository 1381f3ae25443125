import { VisuallyHidden } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { LibraryOrder } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import classes from './list-head.module.css'
import { columns, reorder } from './list-columns.ts'

interface ListHeadProps {
  order: LibraryOrder
  onOrder: (order: LibraryOrder) => void
  total: number
  /** null: some are selected. */
  isAllSelected: boolean | null
  onSelectAll: (isOn: boolean) => void
}

/** Names the columns and sorts by them. */
export function ListHead({ order, onOrder, total, isAllSelected, onSelectAll }: ListHeadProps) {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.row}>
        <div role="columnheader" className={classes.check}>
          <input
            type="checkbox"
            className={classes.checkbox}
            aria-label={t('{total, plural, other {Select all # recordings}}', { total })}
            checked={isAllSelected === true}
            ref={(box) => {
              if (box) box.indeterminate = isAllSelected === null
            }}
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
          />
        </div>
        {columns.map(({ id, name, sort, isNumber }) => (
          <div
            key={id}
            role="columnheader"
            className={classes.cell}
            data-number={isNumber || undefined}
            {...(sort && { 'aria-sort': ariaSort(order, sort) })}
          >
            {sort ? (
              <button type="button" className={classes.sort} onClick={() => onOrder(reorder(order, sort))}>
                {name}
                {order.sort === sort && <Arrow order={order.order} />}
              </button>
            ) : (
              name
            )}
          </div>
        ))}
        <div role="columnheader">
          <VisuallyHidden>{t('Actions')}</VisuallyHidden>
        </div>
      </div>
    </div>
  )
}

function Arrow({ order }: Pick<LibraryOrder, 'order'>) {
  const Icon = order === 'asc' ? IconArrowUp : IconArrowDown
  return <Icon size={14} stroke={1.75} aria-hidden />
}

function ariaSort(order: LibraryOrder, sort: LibraryOrder['sort']): 'ascending' | 'descending' | 'none' {
  if (order.sort !== sort) return 'none'
  return order.order === 'asc' ? 'ascending' : 'descending'
}
