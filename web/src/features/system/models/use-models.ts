import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BodyInput } from '#contract/endpoint.ts'
import { models } from '#contract/endpoints/models.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toastError } from '../../../shared/toast.tsx'

const listKey = ['models']
const operationsKey = ['model-operations']
const importsKey = ['model-imports']
/** How often the page asks: while something is under way, and else. */
const busyMs = 1_000
const calmMs = 4_000

export type OperationInput = BodyInput<typeof models.start>

/** The models as the engines know them, asked again every few seconds while the page is looked at. */
export function useModels() {
  return useQuery({ queryKey: listKey, queryFn: () => call(models.list), refetchInterval: calmMs })
}

export function isUnderWay({ state }: ModelOperation): boolean {
  return state === 'queued' || state === 'running'
}

/** The last operations. When one ends, whatever it may have changed is fetched again: models, imports and the pickers of languages. */
export function useOperations() {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: operationsKey,
    queryFn: () => call(models.operations),
    refetchInterval: ({ state }) => (state.data?.operations.some(isUnderWay) ? busyMs : calmMs),
  })
  const operations = data?.operations ?? []
  const ended = operations.filter((operation) => !isUnderWay(operation)).length
  const seen = useRef(ended)
  useEffect(() => {
    if (ended === seen.current) return
    seen.current = ended
    for (const queryKey of [listKey, importsKey, ['languages']]) void client.invalidateQueries({ queryKey })
  }, [client, ended])
  return operations
}

/** What lies in the import folder. */
export function useImports() {
  return useQuery({ queryKey: importsKey, queryFn: () => call(models.imports) })
}

/** Starts, cancels and deletes; what fails is told, and the lists follow. */
export function useModelActs() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onError: (error) => {
      if (!isSessionExpired(error))
        toastError(messageOf(error, 'Network error. Please try again.'), { durationMs: 8_000 })
    },
    onSettled: () =>
      Promise.all([operationsKey, importsKey, listKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  /** Whether it worked. */
  const run = (act: () => Promise<unknown>) =>
    mutateAsync(act).then(
      () => true,
      () => false,
    )
  return {
    isBusy: isPending,
    start: (wish: OperationInput) => run(() => call(models.start, { body: wish })),
    cancel: (id: string) => run(() => call(models.cancel, { params: { id } })),
    removeImport: (name: string) => run(() => call(models.removeImport, { params: { name } })),
  }
}
