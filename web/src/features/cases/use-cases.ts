import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CaseDetails, MemberRole } from '#contract/cases.ts'
import { cases } from '#contract/endpoints/cases.ts'
import type { BodyInput, Response } from '#contract/endpoint.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { call } from '../../shared/api/client.ts'
import { toastFailure } from '../../shared/toast-failure.ts'

interface CaseQuery {
  scope: 'mine' | 'all'
  search: string
  page: number
}

/** Rows per page, for cases and for recordings. */
const perPage = 50

export function useCases({ page, ...query }: CaseQuery) {
  const asked = { ...query, page: String(page), per_page: String(perPage) }
  return useQuery({
    queryKey: ['cases', asked],
    queryFn: () => call(cases.list, { query: asked }),
    placeholderData: keepPreviousData,
  })
}

/** Returns the cases that the user may add recordings to. */
export function useOpenCases(search: string) {
  const query = { search, can_add: 'true', per_page: '100' }
  return useQuery({
    queryKey: ['cases', query],
    queryFn: () => call(cases.list, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Returns the people with whom the user shares cases; none until loaded, or if loading fails. */
export function useCasePeople() {
  const { data } = useQuery({ queryKey: ['case-people'], queryFn: () => call(cases.people), retry: false })
  return data?.people ?? noPeople
}

const noPeople: Response<typeof cases.people>['people'] = []

export function useCase(id: string) {
  return useQuery({ queryKey: ['case', id], queryFn: () => call(cases.get, { params: { id } }), retry: false })
}

export function useCaseRecordings(id: string, page: number) {
  const query = { page: String(page), per_page: String(perPage) }
  return useQuery({
    queryKey: ['case-recordings', id, query],
    queryFn: () => call(cases.listRecordings, { params: { id }, query }),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Returns how much of the recordings of a case has been heard and verified. */
export function useCaseProgress(id: string) {
  return useQuery({
    queryKey: ['case-recordings', id, 'progress'],
    queryFn: () => call(cases.progress, { params: { id } }),
    retry: false,
  })
}

/** Returns a function that refetches everything that shows cases. */
function useRefreshCases() {
  const client = useQueryClient()
  return (details?: CaseDetails) => {
    if (details) client.setQueryData(['case', details.id], details)
    return Promise.all(
      ['cases', 'case-recordings', 'cases-of-recording', 'recordings'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    )
  }
}

export function useCreateCase() {
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: (body: BodyInput<typeof cases.create>) => call(cases.create, { body }),
    onSuccess: (created) => refresh(created),
  })
}

export function useUpdateCase(id: string) {
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: (body: BodyInput<typeof cases.update>) => call(cases.update, { params: { id }, body }),
    onSuccess: (changed) => refresh(changed),
    onError: toastFailure,
  })
}

/** Deletes a case, or leaves it. */
export function useEndCase(id: string, how: 'remove' | 'leave') {
  const client = useQueryClient()
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: () => call(cases[how], { params: { id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['case', id] })
      return refresh()
    },
    onError: toastFailure,
  })
}

/** Adds a member, or changes a member's role. The caller shows errors. */
export function useSetMember(id: string) {
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: (body: { email: string; role: MemberRole }) => call(cases.setMember, { params: { id }, body }),
    onSuccess: (changed) => refresh(changed),
  })
}

export function useRemoveMember(id: string) {
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: (userId: string) => call(cases.removeMember, { params: { id, user_id: userId } }),
    onSuccess: (changed) => refresh(changed),
    onError: toastFailure,
  })
}

/** Adds the user's own recordings to a case. */
export function useAddRecordings() {
  const client = useQueryClient()
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: ({ id, selection }: { id: string; selection: LibrarySelection }) =>
      call(cases.addRecordings, { params: { id }, body: { selection } }),
    onSuccess: async (_, { id }) => {
      await client.invalidateQueries({ queryKey: ['case', id] })
      await refresh()
    },
    onError: toastFailure,
  })
}

export function useTakeOut(id: string) {
  const client = useQueryClient()
  const refresh = useRefreshCases()
  return useMutation({
    mutationFn: (recordingId: string) => call(cases.removeRecording, { params: { id, recording_id: recordingId } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['case', id] })
      await refresh()
    },
    onError: toastFailure,
  })
}
