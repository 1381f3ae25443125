import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { findRow, makeListed, renderLibrary } from '../../testing/library.tsx'

const id = 'd'.repeat(24)
const moment = '2026-01-02T03:04:05.000Z'
const bridge = {
  id,
  name: 'Bridge',
  colour: 'plum',
  role: 'owner',
  owner: { id, name: 'Nadia Ahmadi' },
  member_count: 1,
  recording_count: 1,
  created_at: moment,
  updated_at: moment,
}
const cases = () => ({ body: { cases: [bridge], total: 1, page: 1, per_page: 100, pages: 1 } })

async function show(address: string) {
  const view = renderLibrary([makeListed(1)], { 'GET /api/cases': cases }, address)
  await findRow('call-1.wav')
  return view
}

it('the case that is shown is ticked, and no longer shown when it is chosen again', async () => {
  const { user } = await show(`/dashboard?case=${id}`)
  await user.click(await screen.findByRole('button', { name: 'Case' }))
  const item = await screen.findByRole('menuitemcheckbox', { name: 'Bridge' })
  expect(item).toBeChecked()
  await user.click(item)
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/dashboard$/))
})

it('what was heard least comes first where it is sorted by that, and last when it is chosen again', async () => {
  const { user } = await show('/dashboard')
  await user.click(screen.getByRole('button', { name: 'Sort' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Heard by you' }))
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/dashboard?sort=heard&order=asc'))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Heard by you ↑' }))
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/dashboard?sort=heard&order=desc'))
})
