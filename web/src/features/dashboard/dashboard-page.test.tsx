import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { DashboardPage } from './dashboard-page.tsx'

function renderWith(retentionDays: number) {
  const config = { ...serverConfig, retention_days: retentionDays }
  fakeServer({ 'GET /api/config': () => ({ body: config }) })
  renderAt('/dashboard', <DashboardPage />, someUser)
}

it.each([
  [0, 'Drop a recording to begin. It stays on this server.'],
  [1, 'Drop a recording to begin. It stays on this server and is deleted after a day.'],
  [30, 'Drop a recording to begin. It stays on this server and is deleted after 30 days.'],
])('with a retention of %i days the page reads: %s', async (days, text) => {
  renderWith(days)
  expect(await screen.findByText(text)).toBeVisible()
})
