import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Batch } from '#contract/batches.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { call } from '../api/client.ts'

const batchesKey = ['batches']
/** Polling interval while a batch is active; there is no polling otherwise. */
const pollMs = 2500
/** For a large batch, which takes long: polling its list often would use up much of the rate limit. */
const largePollMs = 6000
const largeTotal = 100

/** Whether any job of a batch is waiting or running. */
export function isOpen({ finished_at: finishedAt }: Pick<Batch, 'finished_at'>): boolean {
  return finishedAt === null
}

/** Returns the user's batches of the last 30 days, newest first; up to date within seconds while one is active. */
export function useBatches() {
  return useQuery({
    queryKey: batchesKey,
    queryFn: async () => (await call(batches.list)).batches,
    refetchInterval: ({ state }) => chooseInterval(state.data?.filter(isOpen) ?? []),
    staleTime: pollMs,
  })
}

function chooseInterval(open: Batch[]): number | false {
  if (open.length === 0) return false
  return open.some(({ total }) => total >= largeTotal) ? largePollMs : pollMs
}

/** Mutations of batches, whose results are shown immediately. */
export function useBatchMutations() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: batchesKey })
  return {
    create: useMutation({
      mutationFn: (body: Parameters<typeof call<typeof batches.create>>[1]['body']) => call(batches.create, { body }),
      onSuccess,
    }),
    cancel: useMutation({ mutationFn: (id: string) => call(batches.cancel, { params: { id } }), onSuccess }),
    retryFailed: useMutation({ mutationFn: (id: string) => call(batches.retryFailed, { params: { id } }), onSuccess }),
  }
}
