import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StreamEvent } from '#contract/entities/job.ts'
import { fakeEventStream } from '../../testing/fake-event-stream.ts'
import { readEvents } from './event-stream.ts'

const snapshot: StreamEvent = { type: 'snapshot', jobs: [] }
const settle = () => vi.advanceTimersByTimeAsync(0)

let stop: AbortController
beforeEach(() => {
  stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

async function open(onEvent: (event: StreamEvent) => 'missed' | undefined = () => undefined) {
  const received: StreamEvent[] = []
  const server = fakeEventStream()
  let hasEnded = false
  async function read() {
    await readEvents({
      signal: stop.signal,
      onEvent(event) {
        received.push(event)
        return onEvent(event)
      },
    })
    hasEnded = true
  }
  void read()
  await settle()
  return { ...server, received, hasEnded: () => hasEnded }
}

describe('the event stream', () => {
  it('passes on each event and skips unknown ones', async () => {
    const { streams, received } = await open()
    streams[0]?.send(snapshot)
    // A newer server may send events of unknown types.
    streams[0]?.send({ type: 'weather' } as unknown as StreamEvent)
    streams[0]?.send(snapshot)
    await settle()
    expect(received).toEqual([snapshot, snapshot])
  })

  it('opens again a second after the connection broke', async () => {
    const { streams } = await open()
    streams[0]?.end()
    await vi.advanceTimersByTimeAsync(900)
    expect(streams).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(streams).toHaveLength(2)
  })

  it('waits longer after each failure, at most 15 seconds, and a second again after a success', async () => {
    const { streams, refuse } = await open()
    refuse(503, 503, 503, 503, 503)
    streams[0]?.end()
    for (const delayMs of [1000, 2000, 4000, 8000, 15_000]) await vi.advanceTimersByTimeAsync(delayMs)
    expect(streams).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(14_900)
    expect(streams).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(streams).toHaveLength(2)
    streams[1]?.end()
    await vi.advanceTimersByTimeAsync(1100)
    expect(streams).toHaveLength(3)
  })

  it('opens again after 35 seconds without a byte', async () => {
    const { streams } = await open()
    streams[0]?.send(snapshot)
    await vi.advanceTimersByTimeAsync(34_000)
    expect(streams[0]?.isCancelled()).toBe(false)
    await vi.advanceTimersByTimeAsync(4000)
    expect(streams[0]?.isCancelled()).toBe(true)
    expect(streams).toHaveLength(2)
  })

  it('opens again where the reader missed an event', async () => {
    const { streams } = await open(() => 'missed')
    streams[0]?.send(snapshot)
    await vi.advanceTimersByTimeAsync(1100)
    expect(streams[0]?.isCancelled()).toBe(true)
    expect(streams).toHaveLength(2)
  })

  it('opens again after the server shut down', async () => {
    const { streams } = await open()
    streams[0]?.send({ type: 'closed', reason: 'shutdown' })
    streams[0]?.end()
    await vi.advanceTimersByTimeAsync(1100)
    expect(streams).toHaveLength(2)
  })

  it('ends with the session', async () => {
    const { streams, hasEnded } = await open()
    streams[0]?.send({ type: 'closed', reason: 'signed_out' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasEnded()).toBe(true)
    expect(streams).toHaveLength(1)
  })

  it('ends when the server no longer knows the session', async () => {
    const { streams, refuse, hasEnded } = await open()
    refuse(401)
    streams[0]?.end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(hasEnded()).toBe(true)
  })

  it('ends when its signal aborts', async () => {
    const { streams, hasEnded } = await open()
    stop.abort()
    await settle()
    expect(streams[0]?.isCancelled()).toBe(true)
    expect(hasEnded()).toBe(true)
  })
})
