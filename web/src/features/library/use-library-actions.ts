import { useMutation, useQueryClient } from '@tanstack/react-query'
import { library } from '#contract/endpoints/library.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { refreshListsNow } from '../../shared/events/refresh-lists.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'

/** Returns a function that fetches again whatever lists recordings. */
function useRefreshLibrary(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => refreshListsNow(client)
}

/** Deletes recordings at once, and offers to bring them back. */
export function useRemoveRecordings() {
  const refresh = useRefreshLibrary()
  async function restore(ids: string[]) {
    try {
      const { restored } = await call(library.restore, { body: { ids } })
      toastSuccess(restored === 1 ? 'Recording restored' : `${restored} recordings restored`)
    } catch (error) {
      toastError(messageOf(error, 'Network error. Please try again.'))
    }
    await refresh()
  }
  return useMutation({
    mutationFn: (selection: LibrarySelection) => call(library.remove, { body: { selection } }),
    onSuccess: async ({ ids, removed }) => {
      toastUndo(removed === 1 ? 'Recording deleted' : `${removed} recordings deleted`, () => void restore(ids))
      await refresh()
    },
    onError: showError,
  })
}

/** Adds tags to recordings and removes others. */
export function useTagRecordings() {
  const refresh = useRefreshLibrary()
  return useMutation({
    mutationFn: (body: { selection: LibrarySelection; add: string[]; remove: string[] }) => call(library.tag, { body }),
    onSuccess: refresh,
    onError: showError,
  })
}

function showError(error: unknown): void {
  toastError(messageOf(error, 'Network error. Please try again.'))
}
