import { z } from 'zod'
import { StreamEvent, type Job } from '#contract/entities/job.ts'
import { readEvents } from './event-stream.ts'

const channelName = 'awaz-events'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: StreamEvent }),
  z.object({ kind: z.literal('hello') }),
])

/**
 * Follows the events of `userId`'s work. One tab of the browser holds the stream and passes it on to the others, because HTTP/1.1
 * allows six connections a host. When that tab closes another takes over. Without Web Locks (plain http) each tab holds its own.
 */
export function followEvents(userId: string, onEvent: (event: StreamEvent) => void): () => void {
  const stop = new AbortController()
  const locks: LockManager | undefined = navigator.locks
  if (!locks || !('BroadcastChannel' in window)) {
    void readEvents({ onEvent, signal: stop.signal })
    return () => stop.abort()
  }
  const name = `${channelName}:${userId}`
  const channel = new BroadcastChannel(name)
  const known = new Map<string, Job>()
  let isLeader = false

  function lead() {
    isLeader = true
    return readEvents({
      signal: stop.signal,
      onEvent(event) {
        remember(known, event)
        onEvent(event)
        channel.postMessage({ kind: 'event', event })
      },
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Message.safeParse(data).data
    if (!message) return
    if (message.kind === 'event') onEvent(message.event)
    else if (isLeader) channel.postMessage({ kind: 'event', event: { type: 'snapshot', jobs: [...known.values()] } })
  })
  channel.postMessage({ kind: 'hello' })
  locks.request(name, { signal: stop.signal }, lead).catch(() => {
    // Rejected by `stop` alone, when this tab never came to lead.
  })
  return () => {
    stop.abort()
    channel.close()
  }
}

/** What the leader would tell a tab that joins now. */
function remember(known: Map<string, Job>, event: StreamEvent) {
  if (event.type === 'snapshot') known.clear()
  const changed = event.type === 'snapshot' ? event.jobs : []
  if (event.type === 'job') changed.push(event.job)
  for (const job of changed) {
    if (job.state === 'queued' || job.state === 'running') known.set(job.id, job)
    else known.delete(job.id)
  }
}
