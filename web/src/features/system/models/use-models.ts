import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BodyInput } from '#contract/endpoint.ts'
import { models } from '#contract/endpoints/models.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toastError } from '../../../shared/toast.tsx'

const listKey = ['models']
const operationsKey = ['model-operations']
const importsKey = ['model-imports']
/** The polling interval while an operation is active, and otherwise. */
const activePollMs = 1_000
const idlePollMs = 4_000

export type OperationInput = BodyInput<typeof models.start>

/** Polls the models as the engines know them while the page is visible. */
export function useModels() {
  return useQuery({ queryKey: listKey, queryFn: () => call(models.list), refetchInterval: idlePollMs })
}

/** Returns whether an operation is waiting or running. */
export function isActiveOperation({ state }: ModelOperation): boolean {
  return state === 'queued' || state === 'running'
}

/** Polls the latest operations. When one ends, refetches everything it may have changed: models, imports and languages. */
export function useOperations() {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: operationsKey,
    queryFn: () => call(models.operations),
    refetchInterval: ({ state }) => (state.data?.operations.some(isActiveOperation) ? activePollMs : idlePollMs),
  })
  const operations = data?.operations ?? []
  const endedCount = operations.filter((operation) => !isActiveOperation(operation)).length
  const seenCount = useRef(endedCount)
  useEffect(() => {
    if (endedCount === seenCount.current) return
    seenCount.current = endedCount
    for (const queryKey of [listKey, importsKey, ['languages']]) void client.invalidateQueries({ queryKey })
  }, [client, endedCount])
  return operations
}

/** Fetches the entries of the import folder. */
export function useImports() {
  return useQuery({ queryKey: importsKey, queryFn: () => call(models.imports) })
}

/** Starts and cancels operations and deletes imports. Errors are shown as toasts; each command resolves with whether it succeeded. */
export function useModelCommands() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: (error) => {
      if (!isSessionExpired(error))
        toastError(messageOf(error, t('Network error. Please try again.')), { durationMs: 8_000 })
    },
    onSettled: () =>
      Promise.all([operationsKey, importsKey, listKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const run = (send: () => Promise<unknown>) =>
    mutateAsync(send).then(
      () => true,
      () => false,
    )
  return {
    isBusy: isPending,
    start: (input: OperationInput) => run(() => call(models.start, { body: input })),
    cancel: (id: string) => run(() => call(models.cancel, { params: { id } })),
    removeImport: (name: string) => run(() => call(models.removeImport, { params: { name } })),
  }
}
