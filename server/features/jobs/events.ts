import { PassThrough } from 'node:stream'
import type { Types } from 'mongoose'
import type { AppContext } from '#server/http/context.ts'
import type { WorkServices } from '../work/services.ts'
import { writeFrame } from './event-frames.ts'
import { createEventReader } from './event-reader.ts'
import { whenGone } from './long-work.ts'
import { createTextFrames } from './text-frames.ts'
import { createUserEvents, type UserEvents } from './user-events.ts'

/** Proxies drop a connection that is silent for long. */
const commentMs = 15_000
/** A session that another server ended is noticed within this time. */
const sessionCheckMs = 2_000
/** What waits in a stream beside the event that is being written. */
const bufferBytes = 16 * 1024
/** A stream that is over has this long to deliver its last event. */
const goodbyeMs = 5_000

interface Listener {
  userId: string
  ownerId: Types.ObjectId
  sessionId: string
}

interface EventStreamsOptions {
  services: WorkServices
  /** Ends the streams. */
  shutdown: AbortSignal
  /** A reader who takes nothing for so long is cut off. Default 30 s. */
  stallMs?: number
}

/** The event streams of this server. */
export function createEventStreams({ services, shutdown, stallMs = 30_000 }: EventStreamsOptions) {
  const users = new Map<string, UserEvents>()
  const texts = createTextFrames(services.queue)

  function eventsOf({ userId, ownerId }: Listener): UserEvents {
    const known = users.get(userId)
    if (known) return known
    const { queue, feed } = services
    const created = createUserEvents({ queue, feed, ownerId, onEmpty: () => users.delete(userId) })
    users.set(userId, created)
    return created
  }

  /**
   * Answers with the stream of one user's events until the caller leaves or reads no more, the session ends or the server stops. Throws
   * `too_many_streams`.
   */
  return function stream(ctx: AppContext, listener: Listener): void {
    const { userId, sessionId } = listener
    const body = new PassThrough({ highWaterMark: bufferBytes })
    const events = eventsOf(listener)
    const reader = createEventReader({ stream: body, events, texts, stallMs })
    const stops = [events.add(reader), reader.stop]
    body.once('close', () => stops.forEach((stop) => stop()))
    reader.start()
    ctx.status = 200
    ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.body = body

    function close(reason: 'signed_out' | 'revoked' | 'shutdown') {
      if (body.writableEnded) return
      reader.stop()
      body.end(writeFrame({ type: 'closed', reason }))
      // Who reads nothing never takes the goodbye either.
      setTimeout(() => ctx.res.destroy(), goodbyeMs).unref()
    }

    stops.push(
      services.sessions.onEnded(userId, sessionId, () => close('signed_out')),
      every(commentMs, () => {
        if (!body.writableNeedDrain && !body.writableEnded) body.write(': alive\n\n')
      }),
      every(sessionCheckMs, async () => {
        const isLive = await services.sessions.isLive(userId, sessionId).catch(() => true) // database away: ask again
        if (!isLive) close('revoked')
      }),
      onAbort(shutdown, () => close('shutdown')),
      onAbort(whenGone(ctx), () => body.destroy()),
    )
    // A stream that broke has headers already: only the connection can say so.
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
