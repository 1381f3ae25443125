import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StreamJob } from '#contract/entities/job.ts'
import { fakeEventStream } from '../../testing/fake-event-stream.ts'
import type { JobEvent } from './job-state-assembler.ts'
import { followEvents } from './shared-stream.ts'

const job: StreamJob = {
  id: 'a'.repeat(24),
  kind: 'transcribe',
  state: 'running',
  recording_id: null,
  attempt: 1,
  queue_position: null,
  progress: null,
  error: null,
  target_language: null,
  created_at: '2026-01-02T03:04:05.000Z',
  started_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
}

const named = { type: 'snapshot' as const, jobs: [job] }

/** Fakes the browser's exclusive locks: one holder at a time, the others in the order of their requests. */
function fakeLocks() {
  let held: Promise<unknown> = Promise.resolve()
  return {
    request(_: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) {
      const granted = held.then(() => (signal.aborted ? Promise.reject(signal.reason) : work()))
      held = granted.catch(() => undefined)
      return granted
    },
  }
}

const tabs: (() => void)[] = []

/** Follows the events as one tab of the browser does. */
function openTab(userId = 'nadia') {
  const received: JobEvent[] = []
  const close = followEvents(userId, (event) => received.push(event))
  tabs.push(close)
  return { received, close }
}

beforeEach(() => vi.stubGlobal('navigator', { locks: fakeLocks() }))
afterEach(() => {
  for (const close of tabs.splice(0)) close()
  vi.unstubAllGlobals()
})

describe('the event stream of a browser', () => {
  it('is opened by one tab, which passes the events on to the others', async () => {
    const { streams } = fakeEventStream()
    const [first, second] = [openTab(), openTab()]
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    streams[0]?.send(named)
    await vi.waitFor(() => expect(second.received.at(-1)).toEqual(named))
    expect(first.received).toEqual([named])
    expect(streams).toHaveLength(1)
  })

  it('is opened by another tab once the leading one closes', async () => {
    const { streams } = fakeEventStream()
    const [first, second] = [openTab(), openTab()]
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    first.close()
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    expect(streams[0]?.isCancelled()).toBe(true)
    streams[1]?.send(named)
    await vi.waitFor(() => expect(second.received.at(-1)).toEqual(named))
    expect(first.received).toEqual([])
  })

  it('is not handed to a tab that closed while it waited', async () => {
    const { streams } = fakeEventStream()
    const [first, second, third] = [openTab(), openTab(), openTab()]
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    second.close()
    first.close()
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    streams[1]?.send(named)
    await vi.waitFor(() => expect(third.received.at(-1)).toEqual(named))
    expect(second.received).not.toContainEqual(named)
  })

  it('shows a tab that joins later the jobs so far', async () => {
    const { streams } = fakeEventStream()
    const first = openTab()
    await vi.waitFor(() => expect(streams).toHaveLength(1))
    streams[0]?.send(named)
    await vi.waitFor(() => expect(first.received).toHaveLength(1))
    const later = openTab()
    await vi.waitFor(() => expect(later.received).toEqual([named]))
    expect(streams).toHaveLength(1)
  })

  it('keeps the events of two users apart', async () => {
    vi.stubGlobal('navigator', {})
    const { streams } = fakeEventStream()
    const [first, other] = [openTab('nadia'), openTab('omar')]
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    streams[0]?.send(named)
    await vi.waitFor(() => expect(first.received).toHaveLength(1))
    expect(other.received).toEqual([])
  })

  it('is opened by each tab where the browser has no Web Locks', async () => {
    vi.stubGlobal('navigator', {})
    const { streams } = fakeEventStream()
    const [first, second] = [openTab(), openTab()]
    await vi.waitFor(() => expect(streams).toHaveLength(2))
    streams[1]?.send(named)
    await vi.waitFor(() => expect(second.received).toHaveLength(1))
    expect(first.received).toEqual([])
  })
})
