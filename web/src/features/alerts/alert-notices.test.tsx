import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { UnreadAlerts } from './unread-alerts.tsx'
import { useAlertNotices } from './use-alert-notices.ts'

function Notices() {
  useAlertNotices()
  return <UnreadAlerts />
}

it('counts unread alerts, and tells of new ones on other pages', async () => {
  let unread = 3
  fakeServer({ 'GET /api/alerts/count': () => ({ body: { unread } }) })
  const { client } = renderAt('/dashboard', <Notices />, someUser)
  expect(await screen.findByText('3')).toBeVisible()
  expect(screen.getByText(', 3 unread')).toBeInTheDocument()
  unread = 5
  await act(() => client.invalidateQueries({ queryKey: ['alerts'] }))
  expect(await screen.findByText('2 new alerts.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Open' })).toBeVisible()
})
