import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { formatDeadline } from '../../shared/format.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { Shell } from './shell.tsx'

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
const name = 'Two-factor authentication is due'

function renderShell(state: Partial<User>, path = '/settings/profile') {
  fakeServer({})
  const waiting = { two_factor_grace: true, two_factor_due: inHours(72), last_login: '2026-01-02T03:04:05.000Z' }
  return renderAt(path, <Shell>the page</Shell>, { ...someUser, ...waiting, ...state })
}

it.each(['/dashboard', '/transcribe', '/settings/profile', '/admin'])(
  'says at %s by which day, in words and date, and leads to the set-up',
  (path) => {
    const due = inHours(72)
    renderShell({ two_factor_due: due }, path)
    const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' }).format(new Date(due))
    expect(screen.getByRole('region', { name })).toHaveTextContent(
      `Set up two-factor authentication by ${formatDeadline(due)}.`,
    )
    expect(formatDeadline(due)).toMatch(new RegExp(`^${weekday},? \\d+ [A-Z][a-z]+ at \\d\\d:\\d\\d$`))
    expect(screen.getByRole('link', { name: 'Set it up now' })).toHaveAttribute('href', '/settings/security')
  },
)

it('is dismissed for the session, and back after the next sign-in', async () => {
  const first = renderShell({})
  await first.user.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('region', { name })).toBeNull()
  first.unmount()
  const reloaded = renderShell({})
  expect(screen.queryByRole('region', { name })).toBeNull()
  reloaded.unmount()
  renderShell({ last_login: '2026-01-03T03:04:05.000Z' })
  expect(screen.getByRole('region', { name })).toBeVisible()
})

it('stays on the last day, also where it was dismissed before', async () => {
  const first = renderShell({})
  await first.user.click(screen.getByRole('button', { name: 'Later' }))
  first.unmount()
  renderShell({ two_factor_due: inHours(20) })
  expect(screen.getByRole('region', { name })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Later' })).toBeNull()
})

it.each<[string, Partial<User>]>([
  ['none is required', { two_factor_due: null, two_factor_grace: false }],
  ['the provider asked for one', { two_factor_due: null, two_factor_grace: true }],
  ['the days of grace are over, so that the gate asks', { two_factor_grace: false }],
  ['two-factor is enabled', { two_factor_enabled: true }],
  ['a printed list is the second factor', { two_factor_enabled: true, printed_codes_left: 20 }],
  ['a printed list is used up', { two_factor_enabled: true, printed_codes_left: 0 }],
  ['there is a passkey', { has_passkey: true }],
])('is not there where %s', (_, state) => {
  renderShell(state)
  expect(screen.queryByRole('region', { name })).toBeNull()
})
