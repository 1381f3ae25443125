import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { refreshLists, refreshListsNow } from './refresh-lists.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Shows a list on screen; returns how often each key was fetched. */
async function show(...keys: string[][]) {
  const client = new QueryClient()
  client.mount()
  onTestFinished(() => client.unmount())
  const counts = keys.map((queryKey) => {
    const fetchOnce = vi.fn(() => Promise.resolve(1))
    new QueryObserver(client, { queryKey, queryFn: fetchOnce, staleTime: Infinity }).subscribe(() => {})
    return fetchOnce
  })
  await vi.advanceTimersByTimeAsync(0)
  for (const count of counts) count.mockClear()
  return { client, fetched: () => counts.map((count) => count.mock.calls.length) }
}

function hide(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible')
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

it('shows a first change at once, and a hundred more within the second in one go', async () => {
  const { client, fetched } = await show(['recordings', 'library'], ['recordings', 'facets'], ['stats'])
  void refreshLists(client)
  await vi.advanceTimersByTimeAsync(10)
  expect(fetched()).toEqual([1, 1, 1])
  for (let change = 0; change < 100; change += 1) void refreshLists(client)
  await vi.advanceTimersByTimeAsync(900)
  expect(fetched()).toEqual([1, 1, 1])
  await vi.advanceTimersByTimeAsync(100)
  expect(fetched()).toEqual([2, 2, 2])
})

it('fetches a list at most nine times in a minute of changes, and the last of them too', async () => {
  const { client, fetched } = await show(['recordings', 'library'])
  for (let change = 0; change < 300; change += 1) {
    void refreshLists(client)
    await vi.advanceTimersByTimeAsync(200)
  }
  const [count = 0] = fetched()
  expect(count).toBeGreaterThanOrEqual(7)
  expect(count).toBeLessThanOrEqual(9)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(fetched()).toEqual([count + 1])
  void refreshLists(client)
  await vi.advanceTimersByTimeAsync(20_000)
  void refreshLists(client)
  await vi.advanceTimersByTimeAsync(10)
  expect(fetched()).toEqual([count + 3])
})

it('fetches at once what somebody changed here, and its announcements with what follows', async () => {
  const { client, fetched } = await show(['recordings', 'library'])
  await refreshListsNow(client)
  void refreshLists(client)
  await vi.advanceTimersByTimeAsync(500)
  await refreshListsNow(client)
  expect(fetched()).toEqual([2])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(fetched()).toEqual([2])
})

it('fetches nothing but the count of alerts while the tab is hidden, and the rest when it is looked at', async () => {
  const { client, fetched } = await show(['recordings', 'library'], ['alerts', 'count'], ['alerts', 'digest'])
  hide(true)
  for (let change = 0; change < 60; change += 1) {
    void refreshLists(client, ['recordings', 'alerts'])
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const [library, count = 0, digest] = fetched()
  expect([library, digest]).toEqual([0, 0])
  expect(count).toBeGreaterThanOrEqual(4)
  expect(count).toBeLessThanOrEqual(5)
  hide(false)
  await vi.advanceTimersByTimeAsync(10)
  const [shown, , digestShown] = fetched()
  expect([shown, digestShown]).toEqual([1, 0])
})
