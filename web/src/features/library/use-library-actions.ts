import { useMutation, useQueryClient } from '@tanstack/react-query'
import { library } from '#contract/endpoints/library.ts'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { call } from '../../shared/api/client.ts'
import { expectOwnChanges } from '../../shared/events/jobs.ts'
import { refreshListsNow } from '../../shared/events/refresh-lists.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { toastInfo, toastSuccess } from '../../shared/toast.tsx'

/** Returns a function that refetches everything that lists recordings. */
function useRefreshLibrary(): () => Promise<unknown> {
  const client = useQueryClient()
  return () => refreshListsNow(client)
}

/** Deletes recordings at once, and offers to undo it. */
export function useRemoveRecordings() {
  const refresh = useRefreshLibrary()
  async function restore(ids: string[]) {
    try {
      const { restored } = await call(library.restore, { body: { ids } })
      toastSuccess(t('{count, plural, =1 {Recording restored} other {# recordings restored}}', { count: restored }))
    } catch (error) {
      toastFailure(error)
    }
    await refresh()
  }
  return useMutation({
    mutationFn: (selection: LibrarySelection) => call(library.remove, { body: { selection } }),
    onSuccess: async ({ ids, removed, held_ids: held = [] }) => {
      toastUndo(
        t('{count, plural, =1 {Recording moved to the trash} other {# recordings moved to the trash}}', {
          count: removed,
        }),
        () => void restore(ids),
      )
      if (held.length > 0) toastInfo(describeHeld(held.length), { durationMs: heldMs })
      await refresh()
    },
    onError: toastFailure,
  })
}

/** Adds tags to recordings and removes others. */
export function useTagRecordings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { selection: LibrarySelection; add: string[]; remove: string[] }) => call(library.tag, { body }),
    onSuccess: async ({ held = 0, versions = [] }) => {
      if (held > 0) toastInfo(describeHeld(held), { durationMs: heldMs })
      expectOwnChanges(client, versions)
      await refreshListsNow(client, ['recordings'])
    },
    onError: toastFailure,
  })
}

/** As long as the undo toast. */
const heldMs = 8000

function describeHeld(count: number): string {
  return t(
    '{count, plural, =1 {One recording is on legal hold and was left as it is} other {# recordings are on legal hold and were left as they are}}',
    { count },
  )
}
