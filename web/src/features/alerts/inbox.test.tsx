import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAlerts } from '../../testing/alerts.tsx'

const address = () => screen.getByRole('status', { name: 'address' }).textContent

it('all alerts that are loaded are selected by the box above, and marked together', async () => {
  const { calls, user } = renderAlerts('/alerts')
  await user.click(await screen.findByRole('checkbox', { name: 'All 2' }))
  expect(screen.getByRole('checkbox', { name: '2 selected' })).toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Review' }))
  const marks = () => calls.find(({ key }) => key === 'POST /api/alerts/state')?.body
  const ids = ['1'.repeat(24), '2'.repeat(24)]
  await waitFor(() => expect(marks()).toEqual({ selection: { ids }, state: 'reviewed' }))
})

it('where there is nothing new, all alerts are one click away', async () => {
  const { user } = renderAlerts('/alerts', { alerts: [] })
  expect(await screen.findByRole('heading', { name: 'You are up to date' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show all alerts' }))
  expect(address()).toBe('/alerts?state=all')
  expect(await screen.findByRole('heading', { name: 'No alerts here' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show all alerts' })).toBeNull()
})

it('the inbox is the page without a tab in its address', async () => {
  const { user } = renderAlerts('/alerts?tab=watch-lists')
  await user.click(await screen.findByRole('tab', { name: /^Inbox/ }))
  expect(address()).toBe('/alerts')
})
