import { UserSort, UserState } from '#contract/user-list.ts'
import { roles } from '#contract/entities/user.ts'
import { useListState } from './use-list-state.ts'

/** The states that a list of users can be filtered by. */
export const userStates = UserState.options.filter((state) => state !== '')

/** The numbers of days without a sign-in that a list of users can be filtered by. */
export const inactiveDays = ['30', '90', '180'] as const

export interface UserOrder {
  sort: UserSort
  order: 'asc' | 'desc'
}

const newestFirst: UserOrder = { sort: 'created_at', order: 'desc' }

/** Returns the order after a column is chosen; choosing it again reverses it. Dates start with the newest, words with A. */
export function reorder(before: UserOrder, sort: UserSort): UserOrder {
  if (before.sort === sort) return { sort, order: before.order === 'asc' ? 'desc' : 'asc' }
  return { sort, order: sort === 'created_at' || sort === 'last_login' ? 'desc' : 'asc' }
}

/** Returns search, filters, order and page of a user list, kept in the address. `filterKey` changes when other users are listed. */
export function useUserListState() {
  const list = useListState()
  const sort = list.filter('sort', UserSort.options) || newestFirst.sort
  const order: UserOrder = { sort, order: list.filter('order', ['asc', 'desc']) || newestFirst.order }
  const filters = {
    search: list.search,
    state: list.filter('state', userStates),
    role: list.filter('role', roles),
    inactive_days: Number(list.filter('inactive', inactiveDays)),
  }
  const isWithoutSelf = list.filter('without_self', ['1']) === '1'
  return {
    ...list,
    filters,
    order,
    isWithoutSelf,
    filterKey: JSON.stringify({ ...filters, isWithoutSelf }),
    setOrder: (next: UserOrder) => list.setFilters({ sort: next.sort, order: next.order }),
  }
}

export type UserListState = ReturnType<typeof useUserListState>
