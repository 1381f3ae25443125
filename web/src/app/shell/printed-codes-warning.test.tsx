import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { Shell } from './shell.tsx'

const name = 'Your printed list is nearly used up'

function renderShell(left: number | null) {
  fakeServer({})
  renderAt('/dashboard', <Shell>the page</Shell>, { ...someUser, two_factor_enabled: true, printed_codes_left: left })
}

it.each([
  [5, '5 codes are left on your printed list. Making a new list uses one of them.'],
  [1, 'One code is left on your printed list. Making a new list uses one of them.'],
])('warns when %i are left, and leads to a new list', (left, text) => {
  renderShell(left)
  expect(screen.getByRole('region', { name })).toHaveTextContent(text)
  expect(screen.getByRole('link', { name: 'Print a new list' })).toHaveAttribute('href', '/settings/security')
})

it('says who helps when none is left', () => {
  renderShell(0)
  expect(screen.getByRole('region', { name })).toHaveTextContent('ask an administrator to reset your two-factor')
  expect(screen.queryByRole('link', { name: 'Print a new list' })).toBeNull()
})

it.each([6, null])('says nothing when %s are left', (left) => {
  renderShell(left)
  expect(screen.queryByRole('region', { name })).toBeNull()
})
