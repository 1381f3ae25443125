import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { api } from '#contract/api.ts'
import { StreamEvent } from '#contract/entities/job.ts'
import { recordCoverage } from './server.ts'

export interface EventStream {
  status: number
  headers: Headers
  /** The events received so far. */
  events: StreamEvent[]
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close: () => void
}

/** Opens GET /api/events with the bearer token and collects its events. */
export async function openEvents(url: string, token: string): Promise<EventStream> {
  const controller = new AbortController()
  const response = await fetch(new URL(api.jobs.events.path, url), {
    headers: { Authorization: `Bearer ${token}` },
    signal: controller.signal,
  })
  recordCoverage(api.jobs.events, response.ok ? 'success' : String(response.status))
  const events: StreamEvent[] = []
  return {
    status: response.status,
    headers: response.headers,
    events,
    ended: collect(response, events).catch(() => undefined),
    close: () => controller.abort(),
  }
}

async function collect(response: Response, events: StreamEvent[]): Promise<void> {
  const stream = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const message of stream ?? []) events.push(StreamEvent.parse(JSON.parse(message.data)))
}

export interface IdleReader {
  /** Starts reading. `ended` resolves when the server ends or aborts the stream. */
  read: () => Pick<EventStream, 'events' | 'ended'>
  close: () => void
}

/** Opens GET /api/events without reading: what the server sends fills the socket buffers, then stays in the server's memory. */
export async function openIdleReader(url: string, token: string): Promise<IdleReader> {
  const headers = { Authorization: `Bearer ${token}` }
  const request = get(new URL(api.jobs.events.path, url), { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage] // the only argument of this event
  // Either side may close it: `read` still returns the events received before that.
  request.on('error', () => undefined)
  response.on('error', () => undefined)
  return {
    close: () => request.destroy(),
    read() {
      const events: StreamEvent[] = []
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array> // one class with two type declarations
      return { events, ended: collect(new Response(body), events).catch(() => undefined) }
    },
  }
}
