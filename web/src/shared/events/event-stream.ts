import { createParser } from 'eventsource-parser'
import { StreamEvent } from '#contract/entities/job.ts'
import { jobs } from '#contract/endpoints/recordings.ts'
import { ApiError } from '../api/api-error.ts'
import { send } from '../api/client.ts'

interface StreamOptions {
  /** Returns `missed` to have the stream reopened, which begins with a snapshot. */
  onEvent: (event: StreamEvent) => 'missed' | undefined
  signal: AbortSignal
}

const firstDelayMs = 1000
const maxDelayMs = 15_000
/** The server sends a comment every 15 s; more than twice that without a byte means that the connection is dead. */
const silenceTimeoutMs = 35_000
/** Events are handled in batches of about 20, because thousands may arrive at once. */
const pieceCharacters = 2_048
/** A page that handles events for longer than this without a break feels unresponsive. */
const maxWorkMs = 16

/**
 * Reads GET /api/events until `signal` aborts or the session ends, reopening it with growing delays after the connection breaks.
 * Each stream begins with a snapshot, so nothing is lost in between. Uses fetch, because EventSource cannot send a bearer token.
 */
export async function readEvents({ onEvent, signal }: StreamOptions): Promise<void> {
  let delayMs = firstDelayMs
  while (!signal.aborted) {
    try {
      const end = await readOnce({ onEvent, signal })
      if (end === 'session_over') return
      delayMs = firstDelayMs
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return
      delayMs = Math.min(delayMs * 2, maxDelayMs)
    }
    await pause(delayMs, signal)
  }
}

async function readOnce({ onEvent, signal }: StreamOptions): Promise<'session_over' | 'broken'> {
  const silenceTimeout = new AbortController()
  const response = await send(jobs.events, {
    headers: { Accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, silenceTimeout.signal]),
  })
  if (!response.body) return 'broken'
  let isSessionOver = false
  let hasMissed = false
  const parser = createParser({
    onEvent({ data }) {
      const event = parseEvent(data)
      if (!event) return
      if (event.type === 'closed' && event.reason !== 'shutdown') isSessionOver = true
      if (!hasMissed) hasMissed = onEvent(event) === 'missed'
    },
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const pacer = createPacer()
  for (;;) {
    const timer = setTimeout(() => silenceTimeout.abort(), silenceTimeoutMs)
    const { value, done } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return 'broken'
    for (let at = 0; at < value.length; at += pieceCharacters) {
      parser.feed(value.slice(at, at + pieceCharacters))
      await pacer.rest()
    }
    if (isSessionOver || hasMissed) break
  }
  await reader.cancel()
  return isSessionOver ? 'session_over' : 'broken'
}

/** Lets the page do other work once it has been handling events for too long. */
function createPacer() {
  let sinceMs = performance.now()
  return {
    async rest() {
      if (performance.now() - sinceMs < maxWorkMs) return
      await nextTask()
      sinceMs = performance.now()
    },
  }
}

/** Waits for the next task without a timer: in a background tab, timers fire only once a second. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}

/** Parses an event; returns undefined for one of a newer server that this page does not know. */
function parseEvent(data: string): StreamEvent | undefined {
  try {
    return StreamEvent.parse(JSON.parse(data))
  } catch {
    return undefined
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, delayMs)
    signal.addEventListener('abort', finish, { once: true })
    function finish() {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
  })
}
