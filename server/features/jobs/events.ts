import { PassThrough } from 'node:stream'
import type { Types } from 'mongoose'
import type { z } from 'zod'
import { StreamEvent } from '#contract/entities/job.ts'
import type { JobRecord } from '#data/queue/job-model.ts'
import { listRecentJobs } from '#data/queue/results.ts'
import type { AppContext } from '#server/http/context.ts'
import { whenGone } from './long-work.ts'
import { presentJob } from './present.ts'
import type { WorkServices } from '../work/services.ts'

type Event = z.input<typeof StreamEvent>

/** Proxies drop a connection that is silent for long. */
const commentMs = 15_000
/** A session that another server ended is noticed within this time. */
const sessionCheckMs = 2_000

/** Answers with the stream of one user's events until the caller leaves, the session ends or `shutdown` aborts. */
export function streamEvents(
  services: WorkServices,
  ctx: AppContext,
  { userId, ownerId, sessionId }: { userId: string; ownerId: Types.ObjectId; sessionId: string },
  shutdown: AbortSignal,
): void {
  const stream = new PassThrough()
  ctx.status = 200
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  ctx.body = stream
  const send = (event: Event) =>
    stream.write(`event: ${event.type}\ndata: ${JSON.stringify(StreamEvent.parse(event))}\n\n`)
  const close = (reason: 'signed_out' | 'revoked' | 'shutdown') => {
    if (stream.writableEnded) return
    send({ type: 'closed', reason })
    stream.end()
  }
  const stops = [
    followJobs(services, ownerId, send, (error) => stream.destroy(error)),
    services.sessions.onEnded(userId, sessionId, () => close('signed_out')),
    every(commentMs, () => void stream.write(': alive\n\n')),
    every(sessionCheckMs, async () => {
      const isLive = await services.sessions.isLive(userId, sessionId).catch(() => true) // database away: ask again
      if (!isLive) close('revoked')
    }),
    onAbort(shutdown, () => close('shutdown')),
    onAbort(whenGone(ctx), () => stream.destroy()),
  ]
  stream.once('close', () => stops.forEach((stop) => stop()))
}

/** Sends the snapshot, then every change. What comes while the snapshot is read waits for it. */
function followJobs(
  { queue, feed }: WorkServices,
  ownerId: Types.ObjectId,
  send: (event: Event) => void,
  fail: (error: Error) => void,
): () => void {
  const waiting = new Map<string, number | null>()
  let turn = Promise.resolve()
  let isOver = false

  /** One after the other, so that events keep their order though each asks the database for its place in the queue. */
  function next(task: () => Promise<void>) {
    turn = turn
      .then(() => (isOver ? undefined : task()))
      .catch((error: unknown) => fail(error instanceof Error ? error : new Error(String(error))))
  }

  async function present(job: JobRecord) {
    const shown = await presentJob(queue, job)
    if (job.state === 'queued') waiting.set(shown.id, shown.queue_position)
    else waiting.delete(shown.id)
    return shown
  }

  async function sendSnapshot() {
    const jobs = await listRecentJobs(queue, ownerId)
    send({ type: 'snapshot', jobs: await Promise.all(jobs.map(present)) })
  }

  /** Places change when other people's jobs do. */
  async function sendMoved() {
    if (waiting.size === 0) return
    const jobs = await listRecentJobs(queue, ownerId)
    for (const job of jobs.filter(({ state }) => state === 'queued')) {
      const before = waiting.get(job._id.toHexString())
      const shown = await present(job)
      if (shown.queue_position !== before) send({ type: 'job', job: shown })
    }
  }

  const stop = feed.listen({
    ownerId,
    onJob: (job) => next(async () => send({ type: 'job', job: await present(job) })),
    onRecording: ({ _id, version, deletedAt }) =>
      next(async () =>
        send({ type: 'recording', recording_id: _id.toHexString(), change: changeOf(version, deletedAt) }),
      ),
    onQueueMoved: () => next(sendMoved),
  })
  next(sendSnapshot)
  return () => {
    isOver = true
    stop()
  }
}

function changeOf(version: number, deletedAt: Date | null) {
  if (deletedAt) return 'deleted'
  return version === 1 ? 'created' : 'changed'
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
