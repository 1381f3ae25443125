import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import type { Role } from '#contract/entities/user.ts'
import type { UserState } from '#contract/user-list.ts'
import { ApiError, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'

/** Rows per page (accounts specification, section 9). */
export const pageSize = 10

const usersKey = ['admin-users']
const statsKey = ['admin-stats']

/** A page of users as the admin panel lists them. */
export function useUsers(query: { page: number; search: string; state: UserState }) {
  return describe(
    useQuery({
      queryKey: [...usersKey, query],
      queryFn: () => call(admin.listUsers, { query: { ...query, per_page: pageSize } }),
      placeholderData: keepPreviousData,
    }),
  )
}

/** A page of all users for the super admin panel. */
export function useAllUsers(query: {
  page: number
  search: string
  state: UserState
  role: 'all' | Role
  exclude_self: 'true' | 'false'
}) {
  return describe(
    useQuery({
      queryKey: [...usersKey, 'all', query],
      queryFn: () => call(superAdmin.listUsers, { query: { ...query, per_page: pageSize } }),
      placeholderData: keepPreviousData,
    }),
  )
}

interface ListQuery<Data> {
  data: Data | undefined
  isPending: boolean
  error: Error | null
  refetch: () => unknown
}

function describe<Data>({ data, isPending, error, refetch }: ListQuery<Data>) {
  const message = error && !isSessionExpired(error) ? messageOf(error, 'Network error. Please try again.') : undefined
  return { data, isPending, error: message, refetch: () => void refetch() }
}

/** Fetches the figures and every list of users again. */
export function useRefreshUsers(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: usersKey })
    void client.invalidateQueries({ queryKey: statsKey })
  }
}

/** The four figures of the admin panel. */
export function useAdminStats() {
  return useQuery({ queryKey: statsKey, queryFn: () => call(admin.stats) }).data
}

/** Returns the message of a failed admin action: server message, error, details or status text, in that order (accounts spec., section 8). */
function adminMessage(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  return error.serverMessage || messageOf(error, '') || error.details.join(' ') || error.statusText || fallback
}

interface AdminAction {
  run: () => Promise<unknown>
  success: string
  failure: string
  onDone?: () => void
}

/** Runs an action on a user, shows in a toast how it ended, and fetches the new state. */
export function useAdminAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ run }: AdminAction) => run(),
    onSuccess: async (_, { success, onDone }) => {
      toastSuccess(success)
      onDone?.()
      await Promise.all([
        client.invalidateQueries({ queryKey: usersKey }),
        client.invalidateQueries({ queryKey: statsKey }),
        client.invalidateQueries({ queryKey: ['admin-user'] }),
      ])
    },
    onError: (error, { failure }) => {
      if (!isSessionExpired(error)) toastError(adminMessage(error, failure))
    },
  })
}
