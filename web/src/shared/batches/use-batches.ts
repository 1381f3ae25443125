import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Batch } from '#contract/batches.ts'
import { batches } from '#contract/endpoints/batches.ts'
import { call } from '../api/client.ts'

const batchesKey = ['batches']
/** How often batches are asked for while one is at work; never while none is. */
const pollMs = 2500
/** A large batch takes long, and polling its list often would use up much of the rate limit. */
const largePollMs = 6000
const largeTotal = 100

/** Whether something of a batch waits or runs. */
export function isOpen({ finished_at: finishedAt }: Pick<Batch, 'finished_at'>): boolean {
  return finishedAt === null
}

/** Returns the user's batches of the last 30 days, newest first; up to date within seconds while one is at work. */
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

/** What changes batches, and shows it at once. */
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
