import type { Query } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { failure } from '../../testing/fake-server.ts'
import { calmState } from '../system/testing/calm-state.ts'
import { OverviewPage } from './overview-page.tsx'

const key = 'GET /api/auth/admin/overview'
const calm = {
  total_users: 12,
  active_users: 12,
  inactive_users: 0,
  unverified_users: 0,
  users_without_2fa: 0,
  dormant_users: 0,
  pending_invitations: 3,
  open_sessions: 7,
  failed_sign_ins: 0,
  waiting_mails: 0,
  failing_mails: 0,
}

function renderOverview(user: User, numbers: Partial<typeof calm>) {
  return renderPanel('/admin/overview', <OverviewPage />, user, { [key]: () => ({ body: { ...calm, ...numbers } }) })
}

const isOverview = ({ queryKey }: Query) => queryKey.includes('overview')
const region = async (name: string) => within(await screen.findByRole('region', { name }))

it('lists what needs attention in words, the most urgent first, each leading to what it counts', async () => {
  renderOverview(superAdmin, { failing_mails: 1, waiting_mails: 2, failed_sign_ins: 4, users_without_2fa: 5 })
  const links = (await region('Needs attention')).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('1 mail could not be delivered'),
    expect.stringContaining('4 failed sign-ins in the last 24 hours'),
    expect.stringContaining('5 users have no two-factor authentication'),
  ])
  expect(links[0]).toHaveAttribute('href', '/super-admin/outbox')
  expect(links[1]?.getAttribute('href')).toMatch(
    /^\/admin\/audit\?action=auth\.signin&outcome=unsuccessful&from=\d{4}-/,
  )
  expect(links[2]).toHaveAttribute('href', '/super-admin?state=without_2fa')
})

const stateKey = 'GET /api/system/state'
const warnings = [
  { code: 'mail_fails', severity: 'problem', title: 'The mail server does not answer', remedy: 'Check it.' },
  { code: 'backup_old', severity: 'problem', title: 'An old backup', remedy: 'Make one.' },
  { code: 'queue_old', severity: 'warning', title: 'A job waits', remedy: 'Start engines.' },
] as const

function renderWithSystem(found: readonly (typeof warnings)[number][], numbers: Partial<typeof calm> = {}) {
  return renderPanel('/admin/overview', <OverviewPage />, plainAdmin, {
    [key]: () => ({ body: { ...calm, ...numbers } }),
    [stateKey]: () => ({ body: { ...calmState, warnings: found } }),
  })
}

it('leads to the problems of the system, and names the worst', async () => {
  const { calls } = renderWithSystem(warnings, { dormant_users: 1 })
  const [first] = (await region('Needs attention')).getAllByRole('link')
  expect(first).toHaveTextContent('The system reports 2 problemsThe mail server does not answer')
  expect(first).toHaveAttribute('href', '/admin/system')
  const navigation = within(screen.getByRole('navigation', { name: 'Administration' }))
  expect(navigation.getByRole('link', { name: 'System , 2 problems' })).toBeVisible()
  expect(calls.filter(({ key: called }) => called === stateKey)).toHaveLength(1)
})

it('tells of warnings where the system has no problem, without a badge', async () => {
  renderWithSystem(warnings.slice(2))
  const [only] = (await region('Needs attention')).getAllByRole('link')
  expect(only).toHaveTextContent('The system reports 1 warningA job waits')
  expect(screen.getByRole('link', { name: 'System' })).toBeVisible()
})

it('says so where nothing needs attention, and shows the numbers all the same', async () => {
  renderOverview(superAdmin, {})
  expect((await region('Needs attention')).getByText('Nothing needs attention.')).toBeVisible()
  const numbers = await region('In numbers')
  expect(numbers.getByRole('link', { name: 'Users 12' })).toHaveAttribute('href', '/super-admin')
  expect(numbers.getByRole('link', { name: 'Open sessions 7' })).toHaveAttribute('href', '/admin/sessions')
})

it('an admin is led to the list of admins and sees nothing of mails', async () => {
  renderOverview(plainAdmin, { dormant_users: 1, waiting_mails: 2 })
  const [item] = (await region('Needs attention')).getAllByRole('link')
  expect(item).toHaveTextContent('1 user has not signed in for 90 days')
  expect(item).toHaveAttribute('href', '/admin?inactive=90')
  expect((await region('In numbers')).queryByText('Mails that wait')).toBeNull()
})

it('shows an error that can be tried again', async () => {
  const answers = [failure(500, 'The kettle is on.'), { body: calm }]
  const { user } = renderPanel('/admin/overview', <OverviewPage />, plainAdmin, {
    [key]: () => answers.shift() ?? failure(500),
  })
  expect(await screen.findByText('The kettle is on.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nothing needs attention.')).toBeVisible()
})

it('keeps the numbers on screen when newer ones cannot be had', async () => {
  const answers = [{ body: calm }]
  const { client } = renderPanel('/admin/overview', <OverviewPage />, plainAdmin, {
    [key]: () => answers.shift() ?? failure(500, 'The kettle is on.'),
  })
  expect(await screen.findByText('Nothing needs attention.')).toBeVisible()
  await act(() => client.invalidateQueries({ predicate: isOverview }))
  await waitFor(() => expect(client.getQueryCache().findAll({ predicate: isOverview })[0]?.state.status).toBe('error'))
  expect(screen.getByText('Nothing needs attention.')).toBeVisible()
  expect(screen.queryByText('The kettle is on.')).not.toBeInTheDocument()
})
