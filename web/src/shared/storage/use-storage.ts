import { useQuery } from '@tanstack/react-query'
import { library } from '#contract/endpoints/library.ts'
import { call } from '../api/client.ts'

/** What the user stores, and may; follows recordings that are added, deleted and restored. */
export function useStorage() {
  return useQuery({ queryKey: ['storage'], queryFn: () => call(library.storage) })
}
