import { render } from '@testing-library/react'
import { QueryClient, QueryClientProvider, QueryObserver, type QueryKey } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fakeEventStream } from '../../testing/fake-event-stream.ts'
import { expectOwnChanges, useFollowJobs } from './jobs.ts'

const id = 'b'.repeat(24)
const other = 'c'.repeat(24)

function Watcher() {
  useFollowJobs('somebody')
  return null
}

/** Starts following recording changes, with queries that were fetched before. */
async function startFollowing(fetched: QueryKey[]) {
  const { streams } = fakeEventStream()
  const client = new QueryClient()
  for (const key of fetched) client.setQueryData(key, [])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  render(
    <QueryClientProvider client={client}>
      <Watcher />
    </QueryClientProvider>,
  )
  await vi.waitFor(() => expect(streams).toHaveLength(1))
  return { client, invalidate, streams }
}

/** Follows recording changes; returns a function that announces a change and checks which queries it invalidates. */
async function followChanges() {
  const parts = ['notes', 'reviewed-hits', 'line-marks', 'recording']
  const { invalidate, streams } = await startFollowing(parts.map((part) => [part, id]))
  return async (contentVersion: number | undefined, keys: string[]) => {
    invalidate.mockClear()
    streams[0]?.send({ type: 'recording', recording_id: id, change: 'changed', content_version: contentVersion })
    // Lists are refreshed by a predicate: see refresh-lists.test.ts.
    const named = () => invalidate.mock.calls.flatMap(([filters]) => filters?.queryKey?.[0] ?? [])
    await vi.waitFor(() => expect(named()).toEqual(keys))
  }
}

it('fetches notes and reviewed hits alone where the content of a recording is the same', async () => {
  const expectInvalidated = await followChanges()
  const everything = ['notes', 'reviewed-hits', 'line-marks', 'recording']
  await expectInvalidated(3, everything)
  await expectInvalidated(3, ['notes', 'reviewed-hits', 'line-marks'])
  await expectInvalidated(4, everything)
  await expectInvalidated(undefined, everything)
})

it('does not follow what this tab changed and fetches itself, and follows what others change after that', async () => {
  const { client, invalidate, streams } = await startFollowing([id, other].map((key) => ['recording', key]))
  const announce = (recordingId: string, version: number) =>
    streams[0]?.send({
      type: 'recording',
      recording_id: recordingId,
      change: 'changed',
      content_version: version,
      version,
    })
  const fetched = () => invalidate.mock.calls.flatMap(([filters]) => filters?.queryKey?.[1] ?? [])
  expectOwnChanges(client, [{ recording_id: id, version: 5 }])
  announce(id, 5)
  announce(other, 1)
  await vi.waitFor(() => expect(fetched()).toContain(other))
  expect(fetched()).not.toContain(id)
  expectOwnChanges(client, [{ recording_id: id, version: 6 }])
  announce(id, 7)
  await vi.waitFor(() => expect(fetched()).toContain(id))
})

it('fetches each list twice for two hundred changes that arrive together', async () => {
  const { client, streams } = await startFollowing([])
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lists = [['recordings', 'library'], ['recordings', 'facets'], ['stats'], ['alerts', 'count']]
  const fetches = lists.map((queryKey) => {
    const queryFn = vi.fn(() => Promise.resolve(1))
    onTestFinished(new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {}))
    return queryFn
  })
  await vi.advanceTimersByTimeAsync(0)
  for (const fetchOnce of fetches) fetchOnce.mockClear()
  const sendHundred = () => {
    for (let at = 0; at < 100; at += 1)
      streams[0]?.send({ type: 'recording', recording_id: at.toString(16).padStart(24, '0'), change: 'changed' })
  }
  sendHundred()
  await vi.advanceTimersByTimeAsync(100)
  sendHundred()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetches.map((fetchOnce) => fetchOnce.mock.calls.length)).toEqual([2, 2, 2, 2])
})
