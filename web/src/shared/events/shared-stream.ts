import { z } from 'zod'
import { StreamEvent } from '#contract/entities/job.ts'
import { readEvents } from './event-stream.ts'
import { createJobMemory, type JobEvent } from './job-memory.ts'

const channelName = 'awaz-events'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: StreamEvent }),
  z.object({ kind: z.literal('hello') }),
])

/**
 * Follows the events of `userId`'s work. One tab of the browser holds the stream and passes it on to the others, because HTTP/1.1
 * allows six connections a host. When that tab closes another takes over. Without Web Locks (plain http) each tab opens its own. Returns an unsubscribe function.
 */
export function followEvents(userId: string, onEvent: (event: JobEvent) => void): () => void {
  const stop = new AbortController()
  const memory = createJobMemory()

  function take(event: StreamEvent): 'missed' | undefined {
    const taken = memory.take(event)
    if (taken === 'missed') return 'missed'
    if (taken) onEvent(taken)
    return undefined
  }

  const locks: LockManager | undefined = navigator.locks
  if (!locks || !('BroadcastChannel' in window)) {
    void readEvents({ onEvent: take, signal: stop.signal })
    return () => stop.abort()
  }
  const name = `${channelName}:${userId}`
  const channel = new BroadcastChannel(name)
  let isLeader = false

  function lead() {
    isLeader = true
    return readEvents({
      signal: stop.signal,
      onEvent(event) {
        channel.postMessage({ kind: 'event', event })
        return take(event)
      },
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Message.safeParse(data).data
    if (!message) return
    if (message.kind === 'event') {
      if (take(message.event) === 'missed') channel.postMessage({ kind: 'hello' })
    } else if (isLeader) {
      for (const event of memory.replay()) channel.postMessage({ kind: 'event', event })
    }
  })
  channel.postMessage({ kind: 'hello' })
  locks.request(name, { signal: stop.signal }, lead).catch(() => {
    // Only `stop` rejects it, in a tab that never became the leader.
  })
  return () => {
    stop.abort()
    channel.close()
  }
}
