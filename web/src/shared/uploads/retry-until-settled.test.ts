import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, networkError } from '../api/api-error.ts'
import { retryUntilSettled } from './retry-until-settled.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(failures: Error[], stop = new AbortController()) {
  const onPaused = vi.fn<(isPaused: boolean) => void>()
  const task = vi.fn(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  })
  const result = retryUntilSettled({ signal: stop.signal, onPaused }).run(task)
  result.catch(() => undefined) // each test awaits it when it is settled
  return { result, task, onPaused, stop }
}

it('goes on at once when the browser is online again', async () => {
  const { result, task, onPaused } = start([networkError()])
  await vi.advanceTimersByTimeAsync(10)
  expect(task).toHaveBeenCalledTimes(1)
  expect(onPaused).toHaveBeenLastCalledWith(true)
  window.dispatchEvent(new Event('online'))
  expect(await result).toBe('done')
  expect(onPaused).toHaveBeenLastCalledWith(false)
})

it('tries again after growing delays', async () => {
  const { result, task } = start([networkError(), new ApiError('Bad Gateway', { status: 502 }), networkError()])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(task).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(task).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(5_001)
  expect(await result).toBe('done')
})

it('waits for another connection without a word of an interruption', async () => {
  const { result, onPaused } = start([new ApiError('Busy', { status: 409 })])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await result).toBe('done')
  expect(onPaused).not.toHaveBeenCalledWith(true)
})

it.each([
  ['a refusal', new ApiError('No audio', { status: 422 })],
  ['a full disk', new ApiError('Full', { status: 507 })],
  ['a limit of an hour', new ApiError('Too many', { status: 429, remainingSeconds: 3_000 })],
  ['an error of its own', new TypeError('unexpected')],
])('%s is final', async (_, error) => {
  const { result, task } = start([error])
  await expect(result).rejects.toBe(error)
  expect(task).toHaveBeenCalledTimes(1)
})

it('stops waiting when it is cancelled', async () => {
  const { result, stop } = start([networkError()])
  await vi.advanceTimersByTimeAsync(10)
  stop.abort()
  await expect(result).rejects.toThrow('abort')
})
