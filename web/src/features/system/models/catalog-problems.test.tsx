import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { ModelsPage } from './models-page.tsx'

it('shows the problems of the catalogue', async () => {
  const problems = ['The entry "mine" of catalog.local.json is not valid: name: missing.']
  fakeServer({
    'GET /api/admin/models': () => ({ body: { models: [], problems, engines: 1 } }),
    'GET /api/admin/models/operations': () => ({ body: { operations: [] } }),
    'GET /api/admin/models/imports': () => ({
      body: { folder: '/srv/models/import', imports: [], free_bytes: 1, problem: null },
    }),
  })
  renderAt('/admin/system/models', <ModelsPage />, { ...someUser, role: 'super_admin' })
  expect(await screen.findByRole('alert')).toHaveTextContent(/wrong with the catalogue.*The entry "mine"/)
})
