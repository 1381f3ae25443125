import { useQuery } from '@tanstack/react-query'
import { watchFolder } from '#contract/endpoints/watch-folder.ts'
import { call } from '../../../shared/api/client.ts'
import { adminKey } from '../../admin/use-admin.ts'

/** About as often as a server looks through the folder. */
const pollIntervalMs = 5_000

/** Polls what is known of the folders while the page is visible. */
export function useWatchFolder() {
  return useQuery({
    queryKey: [adminKey, 'watch-folder'],
    queryFn: () => call(watchFolder.status),
    refetchInterval: pollIntervalMs,
  })
}
