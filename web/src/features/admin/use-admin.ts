import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { sortByField } from '../../shared/form/form-errors.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import type { UserListState } from './user-list-state.ts'
import type { Panel } from './user-policy.ts'

/** Rows per page (accounts specification, section 9). */
export const pageSize = 10

/** The first part of the query key of everything that an administrative action may change. */
export const adminKey = 'admin'

/** Returns a page of the users listed in a panel. */
export function useUsers(panel: Panel, { page, filters, order, isWithoutSelf }: UserListState) {
  const query = { ...filters, ...order, page, per_page: pageSize }
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [adminKey, 'users', panel, query, isWithoutSelf],
    queryFn: () =>
      panel === 'super_admin'
        ? call(superAdmin.listUsers, { query: { ...query, exclude_self: isWithoutSelf ? 'true' : 'false' } })
        : call(admin.listUsers, { query }),
    placeholderData: keepPreviousData,
  })
  return { data, isPending, error: describeLoadError(error), refetch: () => void refetch() }
}

/** Returns why loading failed; undefined if it did not, or if the shell already says that the session has expired. */
export function describeLoadError(error: Error | null): string | undefined {
  return error && !isSessionExpired(error) ? messageOf(error, t('Network error. Please try again.')) : undefined
}

/** Returns a function that refetches all administration data on screen. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [adminKey] })
}

/** Returns the four figures of the admin panel. */
export function useAdminStats() {
  return useQuery({ queryKey: [adminKey, 'stats'], queryFn: () => call(admin.stats) }).data
}

/** Returns the message of a failed admin action: server message, error, details or status text, in that order (accounts spec., section 8). */
export function adminMessage(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  return error.serverMessage || messageOf(error, '') || error.details.join(' ') || error.statusText || fallback
}

interface AdminAction {
  run: () => Promise<unknown>
  success: string
  failure: string
  onDone?: () => void
}

interface AdminActionOptions {
  /** Form fields that show their errors themselves, so that no toast repeats them. Default: none. */
  fields?: string[]
}

/** Runs an action on a user, shows the outcome in a toast, and refetches the state. */
export function useAdminAction({ fields = [] }: AdminActionOptions = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ run }: AdminAction) => run(),
    onSuccess: async (_, { success, onDone }) => {
      toastSuccess(success)
      onDone?.()
      await client.invalidateQueries({ queryKey: [adminKey] })
    },
    onError: (error, { failure }) => {
      if (isSessionExpired(error)) return
      const sorted = sortByField(error, fields)
      const isAtField = Object.keys(sorted.fields).length > 0
      const message = isAtField ? sorted.general : adminMessage(error, failure)
      if (message) toastError(message)
    },
  })
}
