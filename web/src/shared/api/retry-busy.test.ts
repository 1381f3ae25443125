import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordings } from '#contract/endpoints/recordings.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { callForFile } from './client.ts'
import { abortSessionWork } from './session-signal.ts'

const id = '0123456789abcdef01234567'
const key = `GET /api/recordings/${id}/export`
const busy = (status: number, seconds: number) => failure(status, 'The server is busy.', { remaining_seconds: seconds })
const download = (signal?: AbortSignal) =>
  callForFile(recordings.export, { params: { id }, query: { format: 'txt' }, ...(signal && { signal }) })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([429, 503])(
  'a download that is answered with %d begins again by itself after the time that the server says',
  async (status) => {
    let answers = 0
    const calls = fakeServer({ [key]: () => ((answers += 1) < 3 ? busy(status, 5) : { body: 'file' }) })
    const file = download()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5_001)
    expect(calls).toHaveLength(3)
    expect(await (await file).text()).toContain('file')
  },
)

it('a server that stays busy is told in the end, and one that asks for minutes at once', async () => {
  let seconds = 5
  const calls = fakeServer({ [key]: () => busy(503, seconds) })
  const outcome = download().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await outcome).toMatchObject({ status: 503, message: 'The server is busy.' })
  const tries = calls.length
  seconds = 300
  await expect(download()).rejects.toMatchObject({ status: 503 })
  expect(calls).toHaveLength(tries + 1)
})

it('what is refused for another reason is not tried again', async () => {
  const calls = fakeServer({ [key]: () => failure(409, 'This recording is not transcribed yet') })
  await expect(download()).rejects.toMatchObject({ status: 409 })
  expect(calls).toHaveLength(1)
})

it('a download that is stopped while it waits does not begin again', async () => {
  const calls = fakeServer({ [key]: () => busy(503, 5) })
  const stop = new AbortController()
  const outcome = download(stop.signal).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  stop.abort()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls).toHaveLength(1)
})

it('a download that waits ends with the session, and one of the next session is not affected', async () => {
  let isBusy = true
  const calls = fakeServer({ [key]: () => (isBusy ? busy(503, 5) : { body: 'file' }) })
  const outcome = download().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  abortSessionWork()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls).toHaveLength(1)
  isBusy = false
  expect(await (await download()).text()).toContain('file')
})
