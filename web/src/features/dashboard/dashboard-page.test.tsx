import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { DashboardPage } from './dashboard-page.tsx'

function renderWith(retentionDays: number) {
  const config = {
    signin_requires_verified: true,
    gate_requires_verified: false,
    gate_requires_2fa: false,
    is_smtp_configured: true,
    max_upload_bytes: 1,
    retention_days: retentionDays,
    version: '1',
  }
  fakeServer({ 'GET /api/config': () => ({ body: config }) })
  renderAt('/dashboard', <DashboardPage />, someUser)
}

it.each([
  [0, 'Drop a recording to begin. It stays on this server.'],
  [1, 'Drop a recording to begin. It stays on this server and is deleted after a day.'],
  [30, 'Drop a recording to begin. It stays on this server and is deleted after 30 days.'],
])('with a retention of %i days it says: %s', async (days, text) => {
  renderWith(days)
  expect(await screen.findByText(text)).toBeVisible()
})
