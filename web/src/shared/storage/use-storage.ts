import { useQuery } from '@tanstack/react-query'
import { library } from '#contract/endpoints/library.ts'
import { call } from '../api/client.ts'

/** Returns how much the user stores and may store; updated when recordings are added, deleted or restored. */
export function useStorage() {
  return useQuery({ queryKey: ['storage'], queryFn: () => call(library.storage) })
}
