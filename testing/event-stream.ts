import { EventSourceParserStream } from 'eventsource-parser/stream'
import { api } from '#contract/api.ts'
import { StreamEvent } from '#contract/entities/job.ts'
import { noteCoverage } from './server.ts'

export interface EventStream {
  status: number
  headers: Headers
  /** Everything that came so far. */
  events: StreamEvent[]
  /** Resolves when the server ended the stream. */
  ended: Promise<void>
  close: () => void
}

/** Listens to GET /api/events as a browser does, with the bearer token. */
export async function openEvents(url: string, token: string): Promise<EventStream> {
  const controller = new AbortController()
  const response = await fetch(new URL(api.jobs.events.path, url), {
    headers: { Authorization: `Bearer ${token}` },
    signal: controller.signal,
  })
  noteCoverage(api.jobs.events, response.ok ? 'success' : String(response.status))
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
