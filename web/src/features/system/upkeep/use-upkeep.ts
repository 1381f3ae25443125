import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { upkeep } from '#contract/endpoints/upkeep.ts'
import type { UpkeepRun } from '#contract/entities/upkeep.ts'
import { isSessionExpired } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toastFailure } from '../../../shared/toast-failure.ts'

const keys = { checks: ['upkeep', 'checks'], backups: ['upkeep', 'backups'] }
const activePollMs = 1_500
/** Another super admin, or another tab, may start a run. */
const idlePollMs = 15_000

/** Returns whether a run is in progress. */
export function isRunning(run: UpkeepRun | null | undefined): run is UpkeepRun {
  return run?.ended_at === null
}

/** Polls the doctor's findings and the progress of a run. */
export function useChecks() {
  return useQuery({
    queryKey: keys.checks,
    queryFn: () => call(upkeep.checks),
    refetchInterval: ({ state }) => (isRunning(state.data?.run) ? activePollMs : idlePollMs),
  })
}

/** Polls the backups and the progress of a rehearsal. */
export function useBackups() {
  return useQuery({
    queryKey: keys.backups,
    queryFn: () => call(upkeep.backups),
    refetchInterval: ({ state }) => (isRunning(state.data?.run) ? activePollMs : idlePollMs),
  })
}

/** Starts and ends runs. Errors are shown as toasts. */
export function useUpkeepCommands() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: (error) => {
      if (!isSessionExpired(error)) toastFailure(error)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['upkeep'] }),
  })
  return {
    isPending,
    check: () => mutate(() => call(upkeep.startChecks)),
    rehearse: (name: string) => mutate(() => call(upkeep.startRehearsal, { params: { name } })),
    cancel: (id: string) => mutate(() => call(upkeep.cancelRun, { params: { id } })),
  }
}

/** Creates a support archive, which takes as long as the checks. */
export function useSupportArchive() {
  return useMutation({ mutationFn: () => call(upkeep.makeSupportArchive) })
}
