import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keywords } from '#contract/endpoints/keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { call } from '../../shared/api/client.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { RatePauseNotice } from './rate-pause-notice.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('says on a page that it waits, counts the seconds, and leaves when the page goes on', async () => {
  let isLimited = true
  fakeServer({
    'GET /api/auth/keywords': () =>
      isLimited ? failure(429, 'Too many requests', { remaining_seconds: 9 }) : { body: { keywords: noKeywords() } },
  })
  renderAt('/admin', <RatePauseNotice />)
  expect(screen.queryByRole('timer')).toBeNull()
  const answer = call(keywords.list)
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(screen.getByRole('status')).toHaveTextContent('Too many requests')
  expect(screen.getByRole('timer')).toHaveTextContent('9 s')
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(screen.getByRole('timer')).toHaveTextContent('4 s')
  isLimited = false
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(await answer).toMatchObject({ keywords: noKeywords() })
  expect(screen.queryByRole('timer')).toBeNull()
})
