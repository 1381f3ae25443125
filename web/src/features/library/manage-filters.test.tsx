import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { SavedFilter } from '#contract/library.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { ManageFilters } from './manage-filters.tsx'

const saved: SavedFilter = {
  id: 'e'.repeat(24),
  name: 'Waiting',
  filter: { search: '', states: ['waiting'], languages: [], categories: [], tags: [] },
  sort: 'created',
  order: 'desc',
}

it('a saved filter is renamed: the old name goes once the new one is kept', async () => {
  const calls = fakeServer({
    'GET /api/library/filters': () => ({ body: { filters: [saved] } }),
    'POST /api/library/filters': () => ({ status: 201, body: { ...saved, id: 'f'.repeat(24) } }),
    [`DELETE /api/library/filters/${saved.id}`]: () => ({ body: { message: 'Filter deleted' } }),
  })
  const { user } = renderAt('/dashboard', <ManageFilters />, someUser)
  const field = await screen.findByRole('textbox', { name: 'Name of Waiting' })
  expect(screen.queryByRole('button', { name: 'Rename' })).toBeNull()
  await user.type(field, ' room')
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  const changes = () => calls.filter(({ key }) => !key.startsWith('GET'))
  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes().map(({ key }) => key)).toEqual([
    'POST /api/library/filters',
    `DELETE /api/library/filters/${saved.id}`,
  ])
  expect(changes()[0]?.body).toMatchObject({ name: 'Waiting room', filter: saved.filter })
})

it('without saved filters it says so', async () => {
  fakeServer({ 'GET /api/library/filters': () => ({ body: { filters: [] } }) })
  renderAt('/dashboard', <ManageFilters />, someUser)
  expect(await screen.findByText('There are no saved filters.')).toBeVisible()
})
