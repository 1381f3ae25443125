import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { invitations } from '#contract/endpoints/invitations.ts'
import type { InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError } from '../../shared/toast.tsx'

const queryKey = ['invitations']

/** Rows per page. */
const perPage = 20

/** A page of invitations, newest first. */
export function useInvitations(filter: { page: number; search: string; state: InvitationState | '' }) {
  return useQuery({
    queryKey: [...queryKey, filter],
    queryFn: () => call(invitations.list, { query: { ...filter, per_page: perPage } }),
    placeholderData: keepPreviousData,
  })
}

/** Returns a function that reloads every list of invitations and the figures of the overview. */
export function useRefreshInvitations(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey }),
      client.invalidateQueries({ queryKey: ['admin-stats'] }),
      client.invalidateQueries({ queryKey: ['admin-overview'] }),
    ])
}

/** Resends and revokes an invitation. Failures are shown. */
export function useInvitationActions(id: string) {
  const refresh = useRefreshInvitations()
  const options = {
    onSettled: () => refresh(),
    onError: (error: Error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, t('Network error. Please try again.')))
    },
  }
  return {
    resend: useMutation({ ...options, mutationFn: () => call(invitations.resend, { params: { id } }) }),
    revoke: useMutation({ ...options, mutationFn: () => call(invitations.revoke, { params: { id } }) }),
  }
}
