import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderEditingDesk } from '../../../testing/editing-desk.tsx'
import { makeMonoCall } from '../../../testing/mono-call.tsx'

it('a correction is saved when its line is left where saving automatically is switched off', async () => {
  localStorage.setItem('awaz_settings', JSON.stringify({ transcription: { autoSave: false } }))
  const { user, server } = renderEditingDesk(makeMonoCall())
  await user.click(await screen.findByRole('button', { name: 'it is' }))
  vi.useFakeTimers()
  fireEvent.change(screen.getByRole('textbox', { name: /^Text of the line/ }), { target: { value: 'it is!' } })
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(server.requests).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.edits.edits).toMatchObject([{ lines: [{ text: 'it is!' }] }]))
})
