import { Select } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { t } from '#contract/texts/t.ts'
import type { UserSort } from '#contract/user-list.ts'
import classes from './admin.module.css'
import { reorder, type UserOrder } from './user-list-state.ts'

interface OrderProps {
  order: UserOrder
  onOrder: (order: UserOrder) => void
}

/** A column head that sorts the list when pressed, and reverses the order when pressed again. */
export function SortButton({ sort, label, order, onOrder }: OrderProps & { sort: UserSort; label: string }) {
  const isCurrent = order.sort === sort
  const Arrow = order.order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button
      type="button"
      className={classes.sort}
      data-current={isCurrent || undefined}
      onClick={() => onOrder(reorder(order, sort))}
    >
      {label}
      {isCurrent && <Arrow size={14} stroke={1.75} aria-hidden />}
    </button>
  )
}

/** Returns the `aria-sort` of a column that sorts by any of `sorts`. */
export function ariaSort(order: UserOrder, ...sorts: UserSort[]): 'ascending' | 'descending' | 'none' {
  if (!sorts.includes(order.sort)) return 'none'
  return order.order === 'asc' ? 'ascending' : 'descending'
}

const orders: (UserOrder & { label: string })[] = [
  { sort: 'created_at', order: 'desc', label: t('Joined last') },
  { sort: 'created_at', order: 'asc', label: t('Joined first') },
  { sort: 'name', order: 'asc', label: t('Name, A to Z') },
  { sort: 'name', order: 'desc', label: t('Name, Z to A') },
  { sort: 'email', order: 'asc', label: t('E-mail, A to Z') },
  { sort: 'email', order: 'desc', label: t('E-mail, Z to A') },
  { sort: 'role', order: 'asc', label: t('Role, A to Z') },
  { sort: 'role', order: 'desc', label: t('Role, Z to A') },
  { sort: 'last_login', order: 'desc', label: t('Signed in last') },
  { sort: 'last_login', order: 'asc', label: t('Longest away') },
]
const keyOf = ({ sort, order }: UserOrder) => `${sort} ${order}`

/** Chooses the order in the card view, which has no columns. */
export function OrderSelect({ order, onOrder }: OrderProps) {
  return (
    <Select
      className={`${classes.filter} ${classes.cardsOnly}`}
      aria-label={t('Sort by')}
      leftSection={<IconArrowsSort size={16} stroke={1.5} aria-hidden />}
      data={orders.map((each) => ({ value: keyOf(each), label: each.label }))}
      value={keyOf(order)}
      onChange={(value) => {
        const chosen = orders.find((each) => keyOf(each) === value)
        if (chosen) onOrder({ sort: chosen.sort, order: chosen.order })
      }}
    />
  )
}
