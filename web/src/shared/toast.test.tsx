import { DirectionProvider } from '@mantine/core'
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Toasts } from '../app/toasts.tsx'
import { renderAt } from '../testing/render.tsx'
import { toastError, toastInfo, toastLoading, toastSuccess } from './toast.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(() => vi.useRealTimers())

const advance = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))

async function show(toast: () => unknown) {
  renderAt('/', <p>the page</p>)
  act(() => void toast())
  expect(await screen.findByText('It happened')).toBeVisible()
}

describe('a toast', () => {
  it.each([
    ['without a kind', toastInfo, 4000],
    ['of an error', toastError, 4000],
    ['of a success', toastSuccess, 2000],
  ])('%s is shown for its time', async (_, toast, ms) => {
    await show(() => toast('It happened'))
    await advance(ms - 500)
    expect(screen.getByText('It happened')).toBeVisible()
    await advance(1000)
    expect(screen.queryByText('It happened')).toBeNull()
  })

  it('of something that takes long stays until it has ended', async () => {
    let end: ReturnType<typeof toastLoading> | undefined
    await show(() => (end = toastLoading('It happened')))
    await advance(600_000)
    expect(screen.getByText('It happened')).toBeVisible()
    act(() => end?.succeed('It is done'))
    expect(await screen.findByText('It is done')).toBeVisible()
    await advance(3000)
    expect(screen.queryByText('It is done')).toBeNull()
  })

  it('appears top right, with at most twenty at once', async () => {
    await show(() => {
      for (let n = 1; n <= 19; n += 1) toastError(`Another ${n}`)
      toastError('It happened')
      toastError('One too many')
    })
    expect(screen.getAllByRole('alert')).toHaveLength(20)
    expect(screen.queryByText('One too many')).toBeNull()
    expect(screen.getByText('It happened').closest('[data-position]')).toHaveAttribute('data-position', 'top-right')
  })

  it('appears top left where the page reads from right to left: the navigation is at the right', async () => {
    renderAt(
      '/',
      <DirectionProvider initialDirection="rtl" detectDirection={false}>
        <Toasts />
      </DirectionProvider>,
    )
    act(() => toastInfo('It happened'))
    const shown = await screen.findAllByText('It happened')
    const positions = shown.map((each) => each.closest('[data-position]')?.getAttribute('data-position'))
    expect(positions).toContain('top-left')
  })
})
