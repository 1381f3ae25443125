import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { readResult } from '#data/jobs/results.ts'
import { findReadableJob } from '#data/recordings/access.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { presentJob } from '../recordings/present-job.ts'
import type { JobRoutesDeps } from './deps.ts'
import { createEventStreams } from './event-streams.ts'
import { mountTranscription } from './transcription-routes.ts'
import { mountTranslation } from './translation-routes.ts'

/** Mounts the endpoints that start jobs, GET and DELETE /api/jobs/{id}, and GET /api/events. */
export function mountJobs(router: AppRouter, deps: JobRoutesDeps): void {
  const { queue, trail } = deps
  const openEventStream = createEventStreams({ deps })

  mountTranscription(router, deps)
  mountTranslation(router, deps)

  route(router, api.jobs.get, async ({ params, ...caller }) => {
    const { user } = caller
    const job = await findReadableJob(queue, user.id, params.id)
    if (!job) throw new AppError('not_found', 'Job not found')
    const result = await readResult(queue, job.ownerId, job.id, job.kind)
    if (result && job.recordingId) await trail.recordOpened(caller, { ...job, recordingId: job.recordingId })
    return { ...(await presentJob(queue, job)), result }
  })

  route(router, api.jobs.cancel, async ({ params, user }) => {
    const job = await cancelJob(queue, user.id, params.id)
    if (!job) throw new AppError('not_found', 'Job not found')
    return presentJob(queue, job)
  })

  route(router, api.jobs.events, async ({ user, session, ctx }) => {
    await openEventStream(ctx, { ownerId: user.id, sessionId: session.id })
  })
}
