import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { DueRecording, RetentionRules } from '#contract/retention.ts'
import { plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { someUser } from '../../testing/fake-server.ts'
import { RetentionPage } from './retention-page.tsx'

const caseId = '0123456789abcdef0123456a'
const owner = { id: someUser.id, name: 'زرغونه انا', email: 'zarghuna@example.org' }
const rules: RetentionRules = {
  setting_days: 30,
  role_days: { user: null, admin: 60, super_admin: 0 },
  cases: [{ case: { id: caseId, name: 'پل', owner }, days: 7, recording_count: 3, is_held: true }],
}
const due: DueRecording = {
  id: '0123456789abcdef0123456b',
  owner,
  uploaded_at: '2026-01-02T03:04:05.000Z',
  duration: 61,
  size: 1_000_000,
  rule: 'case',
  case: { id: caseId, name: 'پل' },
  days: 7,
  due_at: '2026-01-09T03:04:05.000Z',
}
const heldCase = {
  id: caseId,
  name: 'پل',
  owner,
  recording_count: 3,
  hold: {
    of: 'case',
    case: { id: caseId, name: 'پل' },
    reason: 'Court order 7',
    set_by: 'Boss',
    is_by_admin: true,
    set_at: '2026-01-02T03:04:05.000Z',
    can_lift: true,
  },
}

function dryRun(recordings: DueRecording[], overrides: object = {}) {
  const total = recordings.length
  const counts = { total, page: 1, per_page: 25, pages: 1, total_size: 1_000_000 * total, texts: 0, held: 2 }
  return { body: { recordings, ...counts, until: '2026-02-01T00:00:00.000Z', ...overrides } }
}

function renderRetention(user = superAdmin, handlers: Parameters<typeof renderPanel>[3] = {}) {
  return renderPanel('/admin/retention', <RetentionPage />, user, {
    'GET /api/auth/admin/retention': () => ({ body: rules }),
    'GET /api/auth/admin/retention/dry-run': () => dryRun([due]),
    'GET /api/auth/admin/holds': () => ({ body: { cases: [heldCase], recordings: [] } }),
    ...handlers,
  })
}

it('shows the rules, what will be deleted and by which of them, and what is on hold', async () => {
  renderRetention()
  const kept = within(await screen.findByRole('region', { name: 'How long recordings are kept' }))
  expect(kept.getByText('30 days')).toBeVisible()
  expect(kept.getByText('as the setting')).toBeVisible()
  expect(kept.getByText('for ever')).toBeVisible()
  expect(kept.getByRole('row', { name: /پل.*7 days.*3 recordings/ })).toBeVisible()
  const list = within(screen.getByRole('region', { name: 'What will be deleted' }))
  expect(await list.findByText(/^1 recording \(.* MB\) by .* 2 recordings more would go, and stay on/)).toBeVisible()
  expect(list.getByRole('row', { name: /Within the hour.*زرغونه انا.*7 days, پل/ })).toBeVisible()
  const holds = within(screen.getByRole('region', { name: 'Legal holds' }))
  expect(await holds.findByText('Court order 7')).toBeVisible()
})

it('looks further ahead', async () => {
  const { user, urls } = renderRetention()
  await user.click(await screen.findByRole('combobox', { name: 'Until when' }))
  await user.click(await screen.findByRole('option', { name: 'Within a year' }))
  await waitFor(() => expect(urls.some((url) => url.includes('within_days=365'))).toBe(true))
})

it('holds a recording of the list, without showing its name', async () => {
  const put = `PUT /api/recordings/${due.id}/hold`
  const { user, calls } = renderRetention(plainAdmin, { [put]: () => ({ body: { holds: [], can_hold: true } }) })
  await user.click(await screen.findByRole('button', { name: /^Hold the recording of زرغونه انا/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Court order 8')
  await user.click(dialog.getByRole('button', { name: 'Put on hold' }))
  expect(await screen.findByText('On legal hold')).toBeVisible()
  expect(calls.findLast(({ key }) => key === put)?.body).toEqual({ reason: 'Court order 8' })
})

it('says how many recordings would go before days of a case are saved', async () => {
  const put = `PUT /api/auth/super-admin/retention/cases/${caseId}`
  const { user, calls, urls } = renderRetention(superAdmin, {
    'GET /api/auth/admin/retention/dry-run': ({ url }) =>
      url.includes('case_days=3') ? dryRun([due], { total: 12 }) : dryRun([due]),
    [put]: () => ({ body: { ...rules, cases: [] } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Change the days of پل' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Days of a case' }))
  const days = dialog.getByRole('textbox', { name: /^Days:/ })
  await user.clear(days)
  await user.type(days, '3')
  expect(await dialog.findByText('12 recordings would be deleted within the hour')).toBeVisible()
  expect(urls.some((url) => url.includes(`case=${caseId}`))).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Days saved')).toBeVisible()
  expect(calls.findLast(({ key }) => key === put)?.body).toEqual({ days: 3 })
})

it('sets days by role', async () => {
  const put = 'PUT /api/auth/super-admin/retention'
  const { user, calls } = renderRetention(superAdmin, {
    'GET /api/auth/admin/retention/dry-run': () => dryRun([]),
    [put]: () => ({ body: rules }),
  })
  await user.click(await screen.findByRole('button', { name: 'Days by role' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Days by role' }))
  await user.click(dialog.getByRole('combobox', { name: 'Recordings of users' }))
  await user.click(await screen.findByRole('option', { name: 'For ever' }))
  expect(await dialog.findByText('With these days nothing would be deleted now.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Days saved')).toBeVisible()
  expect(calls.findLast(({ key }) => key === put)?.body).toEqual({ role_days: { user: 0, admin: 60, super_admin: 0 } })
})

it('admins read the rules and change none', async () => {
  renderRetention(plainAdmin)
  expect(await screen.findByRole('row', { name: /پل/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Days by role' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Change the days/ })).toBeNull()
})

it('says so where nothing is due and nothing is on hold, and where it could not be loaded', async () => {
  const { user } = renderRetention(superAdmin, {
    'GET /api/auth/admin/retention/dry-run': () => dryRun([]),
    'GET /api/auth/admin/holds': () => ({ body: { cases: [], recordings: [] } }),
    'GET /api/auth/admin/retention': () => ({
      status: 503,
      body: { error: 'The database cannot be reached', code: 'unavailable' },
    }),
  })
  expect(await screen.findByText('No recording will be deleted')).toBeVisible()
  expect(await screen.findByText('Nothing is on hold')).toBeVisible()
  expect(await screen.findByText('The database cannot be reached', {}, { timeout: 10_000 })).toBeVisible()
  await user.click(screen.getByRole('button', { name: /again/i }))
})
