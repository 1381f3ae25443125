import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryInput } from '#contract/endpoint.ts'
import { holds } from '#contract/endpoints/holds.ts'
import { retention } from '#contract/endpoints/retention.ts'
import type { RetentionRules, RoleDays } from '#contract/retention.ts'
import { call } from '../../shared/api/client.ts'
import { adminKey } from '../admin/use-admin.ts'

export const dueRecordingsPerPage = 25

export function useRetentionRules() {
  return useQuery({ queryKey: [adminKey, 'retention'], queryFn: () => call(retention.get) })
}

/** Returns what would be deleted by a given time; `rules` are days to try instead of those set. */
export function useDryRun(query: QueryInput<typeof retention.dryRun>) {
  return useQuery({
    queryKey: [adminKey, 'dry-run', query],
    queryFn: () => call(retention.dryRun, { query }),
    placeholderData: keepPreviousData,
  })
}

export function useHolds() {
  return useQuery({ queryKey: [adminKey, 'holds'], queryFn: () => call(holds.list) })
}

/** Days to set: by role, or for one case. */
export type RetentionChange = { roleDays: RoleDays } | { caseId: string; days: number | null }

/** Stores days. The caller shows errors. */
export function useChangeRetention() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: RetentionChange): Promise<RetentionRules> =>
      'roleDays' in change
        ? call(retention.setRoleDays, { body: { role_days: change.roleDays } })
        : call(retention.setCaseDays, { params: { id: change.caseId }, body: { days: change.days } }),
    onSuccess: (rules) => {
      client.setQueryData([adminKey, 'retention'], rules)
      return Promise.all(
        ['dry-run', 'case', 'cases'].map((key) =>
          client.invalidateQueries({ queryKey: key === 'dry-run' ? [adminKey, key] : [key] }),
        ),
      )
    },
  })
}
