import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInput, EndpointSpec } from '#contract/endpoint.ts'
import { JobAccepted } from '#contract/entities/job.ts'
import { jobs } from '#contract/endpoints/recordings.ts'
import { call, send } from '../api/client.ts'
import { isActive, putJob } from './jobs.ts'

/** Starts a job without waiting for its end; the job is in the cache immediately. Throws ApiError. */
export function useStartJob<E extends EndpointSpec>(spec: E) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<E>) => {
      const response = await send(spec, { body, headers: { Prefer: 'respond-async' } })
      const accepted = JobAccepted.safeParse(await response.json())
      // Any other response is the result itself.
      const job = accepted.success && (await call(jobs.get, { params: { id: accepted.data.job_id } }))
      if (job) putJob(client, job)
      // Nothing was left to do, and no event reports a job that ended long ago, so the page still lacks the result.
      if (!job || !isActive(job)) await client.invalidateQueries({ queryKey: ['recording'] })
    },
  })
}

/** Cancels a queued or running job. */
export function useCancelJob() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(jobs.cancel, { params: { id } }),
    onSuccess: (job) => putJob(client, job),
  })
}
