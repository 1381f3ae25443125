import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAlerts, rivers } from '../../testing/alerts.tsx'

it.each([
  ['done', 0, 'Library scanned: nothing new.'],
  ['done', 1, 'Library scanned: 1 new alert.'],
  ['cancelled', 1200, 'Scan stopped: 1,200 new alerts.'],
] as const)('a scan that is %s says what it has found (%i)', async (state, raised, text) => {
  renderAlerts('/alerts?tab=watch-lists', { lists: [{ ...rivers, scan: { state, done: 3, total: 3, raised } }] })
  expect(await screen.findByText(text)).toBeVisible()
})

it('the tags of the library are offered for a watch list', async () => {
  const tags = [{ tag: 'border', count: 2 }]
  const { user } = renderAlerts('/alerts?tab=watch-lists', {
    handlers: {
      'GET /api/library/facets': () => ({ body: { total: 2, states: [], languages: [], tags, categories: [] } }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Change' }))
  await user.click(await screen.findByRole('combobox', { name: 'Recordings with any of these tags' }))
  expect(await screen.findByRole('option', { name: 'border' })).toBeVisible()
})
