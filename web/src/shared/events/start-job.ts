import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInput, EndpointSpec } from '#contract/endpoint.ts'
import { JobAccepted } from '#contract/entities/job.ts'
import { jobs } from '#contract/endpoints/recordings.ts'
import { call, send } from '../api/client.ts'
import { putJob } from './jobs.ts'

/** Starts long work without waiting for its end; the job shows up in the cache at once. Throws ApiError. */
export function useStartJob<E extends EndpointSpec>(spec: E) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<E>) => {
      const response = await send(spec, { body, headers: { Prefer: 'respond-async' } })
      const accepted = JobAccepted.safeParse(await response.json())
      // Anything but an accepted job is the finished result itself: there was nothing left to do.
      if (!accepted.success) return await client.invalidateQueries({ queryKey: ['recording'] })
      putJob(client, await call(jobs.get, { params: { id: accepted.data.job_id } }))
    },
  })
}

/** Cancels queued or running work. */
export function useCancelJob() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(jobs.cancel, { params: { id } }),
    onSuccess: (job) => putJob(client, job),
  })
}
