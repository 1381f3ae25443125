import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Job } from '#contract/entities/job.ts'
import { isActive } from '../../shared/events/jobs.ts'
import { refreshLists } from '../../shared/events/refresh-lists.ts'

/** The engine counts hits within about a second after a job. */
const delayMs = 3000

/** Fetches the list again a moment after a job has ended, when the hits in its result are counted: no event reports that. */
export function useRefreshAfterJobs(): void {
  const client = useQueryClient()
  useEffect(() => {
    let activeIds = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'jobs') return
      const jobs = Object.values(client.getQueryData<Record<string, Job>>(['jobs']) ?? {})
      const nowActive = new Set(jobs.filter(isActive).map(({ id }) => id))
      if ([...activeIds].some((id) => !nowActive.has(id))) {
        clearTimeout(timer)
        timer = setTimeout(() => void refreshLists(client, ['recordings']), delayMs)
      }
      activeIds = nowActive
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client])
}
