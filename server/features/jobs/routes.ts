import { PassThrough } from 'node:stream'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { readResult } from '#data/jobs/results.ts'
import { findReadableJob } from '#data/recordings/access.ts'
import type { AppRouter, AppContext } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { presentJob } from '../recordings/present-job.ts'
import type { JobRoutesDeps, JobsDeps } from './deps.ts'
import { mountTranscription } from './transcription-routes.ts'
import { mountTranslation } from './translation-routes.ts'
import { writeFrame } from './event-frames.ts'
import { createEventStreamWriter } from './event-stream-writer.ts'
import { createTextFrames } from './text-frames.ts'
import { createUserEvents, type UserEvents } from './user-events.ts'

/** Proxies close connections that are silent for too long. */
const commentIntervalMs = 15_000
/** A session ended by another server is noticed within this time. */
const sessionCheckIntervalMs = 2_000
/** Bytes buffered in a stream in addition to the event being written. */
const bufferBytes = 16 * 1024
/** How long a closed stream has to deliver its last event. */
const closeTimeoutMs = 5_000

interface Listener {
  ownerId: string
  sessionId: string
}

interface EventStreamsOptions {
  deps: Pick<JobsDeps, 'queue' | 'feed' | 'sessions' | 'shutdown'>
  /** A reader who reads nothing for this long is disconnected. Default 30 s. */
  stallMs?: number
}

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

/** Returns the function that opens event streams on this server. */
function createEventStreams({ deps, stallMs = 30_000 }: EventStreamsOptions) {
  const { queue, feed, sessions, shutdown } = deps
  const users = new Map<string, UserEvents>()
  const texts = createTextFrames(queue)

  function eventsOf(ownerId: string): UserEvents {
    const known = users.get(ownerId)
    if (known) return known
    const created = createUserEvents({ queue, feed, ownerId, onEmpty: () => users.delete(ownerId) })
    users.set(ownerId, created)
    return created
  }

  /**
   * Responds with the stream of one user's events until the caller disconnects or stops reading, the session ends or the server stops.
   * After the headers it sends a snapshot, then changes. Throws `too_many_streams`.
   */
  return async function stream(ctx: AppContext, listener: Listener): Promise<void> {
    const { ownerId, sessionId } = listener
    const body = new PassThrough({ highWaterMark: bufferBytes })
    const events = eventsOf(ownerId)
    const writer = createEventStreamWriter({ stream: body, readSnapshot: events.readSnapshot, texts, stallMs })
    const stops = [events.add(writer), writer.stop]
    body.once('close', () => stops.forEach((stop) => stop()))
    await feed.started()
    if (!ctx.writable) {
      body.destroy()
      return
    }
    writer.start()
    ctx.status = 200
    ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.body = body

    function close(reason: 'signed_out' | 'revoked' | 'shutdown') {
      if (body.writableEnded) return
      writer.stop()
      body.end(writeFrame({ type: 'closed', reason }))
      // A reader who has stopped reading will not read the last event either.
      setTimeout(() => ctx.res.destroy(), closeTimeoutMs).unref()
    }

    stops.push(
      sessions.onEnded(ownerId, sessionId, () => close('signed_out')),
      every(commentIntervalMs, () => {
        if (!body.writableNeedDrain && !body.writableEnded) body.write(': alive\n\n')
      }),
      every(sessionCheckIntervalMs, async () => {
        const isLive = await sessions.isLive(ownerId, sessionId).catch(() => true) // database unreachable: check again
        if (!isLive) close('revoked')
      }),
      onAbort(shutdown, () => close('shutdown')),
      onAbort(disconnectSignal(ctx), () => body.destroy()),
    )
    // The headers have already been sent, so all a failure can do is close the connection.
    body.once('error', () => ctx.res.destroy())
  }
}

function every(ms: number, task: () => void | Promise<void>): () => void {
  const timer = setInterval(task, ms)
  return () => clearInterval(timer)
}

function onAbort(signal: AbortSignal, task: () => void): () => void {
  signal.addEventListener('abort', task, { once: true })
  if (signal.aborted) task()
  return () => signal.removeEventListener('abort', task)
}
