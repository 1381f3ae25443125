import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { findJob, readResult } from '#data/jobs/results.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { createEventStreams } from './events.ts'
import { toObjectId } from './long-work.ts'
import { presentJob } from './present.ts'
import type { WorkServices } from '../work/services.ts'

/** GET and DELETE /api/jobs/{id}, GET /api/events. `shutdown` ends the streams. */
export function mountJobs(router: AppRouter, services: WorkServices, shutdown: AbortSignal): void {
  const { queue } = services
  const streamEvents = createEventStreams({ services, shutdown })

  route(router, api.jobs.get, async ({ params, user }) => {
    const job = await findJob(queue, toObjectId(user.id), toObjectId(params.id))
    if (!job) throw new AppError('not_found', 'Job not found')
    const result = await readResult(queue, job.ownerId, job._id, job.kind)
    return { ...(await presentJob(queue, job)), result }
  })

  route(router, api.jobs.cancel, async ({ params, user }) => {
    const job = await cancelJob(queue, toObjectId(user.id), toObjectId(params.id))
    if (!job) throw new AppError('not_found', 'Job not found')
    return presentJob(queue, job)
  })

  route(router, api.jobs.events, async ({ user, session, ctx }) => {
    streamEvents(ctx, { userId: user.id, ownerId: toObjectId(user.id), sessionId: session.id })
  })
}
