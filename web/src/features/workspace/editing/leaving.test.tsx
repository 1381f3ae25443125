import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { networkError } from '../../../shared/api/api-error.ts'
import { forgetUser } from '../../../shared/recordings/tab-data.ts'
import { renderEditingDesk } from '../../../testing/editing-desk.tsx'
import { makeMonoCall } from '../../../testing/mono-call.tsx'

async function show() {
  const rendered = renderEditingDesk(makeMonoCall())
  await screen.findByRole('list', { name: 'Lines' })
  return rendered
}

const line = (text: string) => screen.getByRole('button', { name: text })

describe('leaving', () => {
  it('the recording goes on saving, and what is changed after the return waits for that', async () => {
    const { user, server } = await show()
    const { promise, resolve } = Promise.withResolvers<void>()
    server.gate = promise
    await user.click(line('it is'))
    await user.keyboard('!{Enter}')
    await waitFor(() => expect(server.requests).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    await user.click(screen.getByRole('button', { name: 'Return' }))
    await user.click(line('good morning'))
    await user.keyboard('!{Enter}')
    expect(server.requests).toHaveLength(1)
    resolve()
    await waitFor(() => expect(server.requests.map(({ revision }) => revision)).toEqual([0, 1]))
    await waitFor(() => expect(sessionStorage).toHaveLength(0))
  })

  it('the account keeps nothing in the browser, not even of the line that is open', async () => {
    const { user, server, unmount } = await show()
    server.failure = networkError()
    await user.click(line('it is'))
    await user.keyboard('!')
    forgetUser()
    unmount()
    await waitFor(() => expect(server.failure).toBeNull())
    expect(sessionStorage).toHaveLength(0)
  })

  it('is not needed for saving where the storage of the tab is full', async () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const { user, server } = await show()
    await user.click(line('it is'))
    await user.keyboard('!{Enter}')
    await waitFor(() => expect(server.edits.edits).toMatchObject([{ lines: [{ text: 'it is!' }] }]))
    full.mockRestore()
  })
})
