import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import type { BulkUserAction } from '#contract/user-list.ts'
import { isSessionExpired } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { describeCompletedBulkAction } from './bulk-words.ts'
import { adminKey, adminMessage } from './use-admin.ts'
import type { UserSelection } from './use-user-selection.ts'

/** The result of an action on several users that failed for some of them. */
export interface PartialResult extends Response<typeof admin.bulkUsers> {
  action: BulkUserAction
}

/** Acts on the selected users. Those for whom it failed stay selected, and `result` says why. */
export function useBulkAction(selection: UserSelection) {
  const client = useQueryClient()
  const [result, setResult] = useState<PartialResult>()
  const mutation = useMutation({
    mutationFn: ({ action }: { action: BulkUserAction; onDone?: (() => void) | undefined }) =>
      call(admin.bulkUsers, { body: { ids: selection.users.map(({ id }) => id), action } }),
    onSuccess: async (response, { action, onDone }) => {
      onDone?.()
      selection.keep(response.failed.map(({ id }) => id))
      if (response.failed.length > 0) setResult({ ...response, action })
      else toastSuccess(describeCompletedBulkAction(action, response.done))
      await client.invalidateQueries({ queryKey: [adminKey] })
    },
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(adminMessage(error, t('Network error. Please try again.')))
    },
  })
  return {
    isBusy: mutation.isPending,
    result,
    forgetResult: () => setResult(undefined),
    run(action: BulkUserAction, onDone?: () => void) {
      setResult(undefined)
      mutation.mutate({ action, onDone })
    },
  }
}
