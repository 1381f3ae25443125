import { z } from 'zod'
import { StreamEvent } from '#contract/entities/job.ts'
import { readEvents } from './event-stream.ts'
import { createJobStateAssembler, type JobEvent } from './job-state-assembler.ts'

const channelName = 'awaz-events'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: StreamEvent }),
  // Asks the leader for a snapshot. The word must not change: after an upgrade, tabs of two versions share the channel.
  z.object({ kind: z.literal('hello') }),
])

/**
 * Follows the events of `userId`'s work. One tab of the browser holds the stream and passes it on to the others, because with HTTP/1.1
 * browsers open only six connections per host. When that tab closes, another takes over. Without Web Locks (plain http), each tab opens its
 * own stream. Returns an unsubscribe function.
 */
export function followEvents(userId: string, onEvent: (event: JobEvent) => void): () => void {
  const stop = new AbortController()
  const assembler = createJobStateAssembler()

  function handleEvent(event: StreamEvent): 'missed' | undefined {
    const assembled = assembler.handleEvent(event)
    if (assembled === 'missed') return 'missed'
    if (assembled) onEvent(assembled)
    return undefined
  }

  const locks: LockManager | undefined = navigator.locks
  if (!locks || !('BroadcastChannel' in window)) {
    void readEvents({ onEvent: handleEvent, signal: stop.signal })
    return () => stop.abort()
  }
  const name = `${channelName}:${userId}`
  const channel = new BroadcastChannel(name)
  let isLeader = false

  function runAsLeader() {
    isLeader = true
    return readEvents({
      signal: stop.signal,
      onEvent(event) {
        channel.postMessage({ kind: 'event', event })
        return handleEvent(event)
      },
    })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Message.safeParse(data).data
    if (!message) return
    if (message.kind === 'event') {
      if (handleEvent(message.event) === 'missed') channel.postMessage({ kind: 'hello' })
    } else if (isLeader) {
      for (const event of assembler.replay()) channel.postMessage({ kind: 'event', event })
    }
  })
  channel.postMessage({ kind: 'hello' })
  locks.request(name, { signal: stop.signal }, runAsLeader).catch(() => {
    // Rejected only by `stop`, in a tab that never became the leader.
  })
  return () => {
    stop.abort()
    channel.close()
  }
}
