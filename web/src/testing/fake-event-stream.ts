import { vi } from 'vitest'
import type { StreamEvent } from '#contract/entities/job.ts'

/** An open event stream, as seen from the server's side. */
interface OpenStream {
  send: (event: StreamEvent) => void
  /** Breaks the connection as a network does: without a last event. */
  end: () => void
  isCancelled: () => boolean
}

/** Opens event streams for `GET /api/events` of a fake server. */
export function fakeEventStreams() {
  const streams: OpenStream[] = []
  return { streams, respond: () => new Response(openStream(streams, undefined)) }
}

/** Stands in for GET /api/events at the network's edge. `refuse` makes the next connections fail with these statuses. */
export function fakeEventStream() {
  const streams: OpenStream[] = []
  const refusals: number[] = []
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit = {}) => {
    const refusal = refusals.shift()
    if (refusal !== undefined) return Response.json({ error: 'no', code: 'internal' }, { status: refusal })
    return new Response(openStream(streams, signal ?? undefined))
  })
  return { streams, refuse: (...statuses: number[]) => void refusals.push(...statuses) }
}

function openStream(streams: OpenStream[], signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener('abort', () => {
        isCancelled = true
        controller.error(signal.reason)
      })
      streams.push({
        send: (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
        end: () => controller.close(),
        isCancelled: () => isCancelled,
      })
    },
    cancel() {
      isCancelled = true
    },
  })
}
