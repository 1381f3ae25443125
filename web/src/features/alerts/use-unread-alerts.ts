import { useQuery } from '@tanstack/react-query'
import { alerts } from '#contract/endpoints/alerts.ts'
import { call } from '../../shared/api/client.ts'

/** Returns how many alerts are neither reviewed nor dismissed; undefined until known. */
export function useUnreadAlerts(): number | undefined {
  return useQuery({ queryKey: ['alerts', 'count'], queryFn: () => call(alerts.count) }).data?.unread
}
