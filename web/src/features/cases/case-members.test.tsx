import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { plainAdmin, superAdmin } from '../../testing/admin-panel.tsx'
import { caseId, makeCase, memberId, moment, showCase } from '../../testing/cases.tsx'
import { failure } from '../../testing/fake-server.ts'

test('its owner adds a member; a refused address is told at its field', async () => {
  const message = 'No account that can be added has this address.'
  const calls = showCase(makeCase(), {
    [`PUT /api/cases/${caseId}/members`]: ({ body }) =>
      JSON.stringify(body).includes('typo')
        ? failure(400, message, { code: 'invalid_input', details: [message], fields: { email: [message] } })
        : { body: makeCase() },
  })
  const field = await screen.findByLabelText('Add a member', { selector: 'input' })
  await userEvent.type(field, 'typo@example.org{Enter}')
  expect(await screen.findByText(message)).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'sami@example.org{Enter}')
  await waitFor(() => expect(field).toHaveValue(''))
  expect(calls.findLast(({ key }) => key.startsWith('PUT'))?.body).toEqual({
    email: 'sami@example.org',
    role: 'view',
  })
})

test('its owner finds people of other cases by name, without those who are members already', async () => {
  const gulalai = { id: '0123456789abcdef0123456c', name: 'Gulalai Ahmadzai', email: 'g.a@example.org' }
  const sami = { id: memberId, name: 'Sami Khan', email: 'sami@example.org' }
  const calls = showCase(makeCase(), {
    'GET /api/case-people': () => ({ body: { people: [gulalai, sami] } }),
    [`PUT /api/cases/${caseId}/members`]: () => ({ body: makeCase() }),
  })
  const field = await screen.findByLabelText('Add a member', { selector: 'input' })
  await userEvent.click(field)
  const option = await screen.findByRole('option', { name: /Gulalai Ahmadzai/ })
  expect(screen.queryByRole('option', { name: /Sami/ })).toBeNull()
  await userEvent.type(field, 'gul')
  await userEvent.click(option)
  expect(field).toHaveValue(gulalai.email)
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(calls.findLast(({ key }) => key.startsWith('PUT'))?.body).toMatchObject({ email: gulalai.email }),
  )
})

test('who has an invitation is caseListResponse with what it waits for, and removed with a way back', async () => {
  const [pending, expired] = ['0123456789abcdef0123456d', '0123456789abcdef0123456e']
  const invited = { role: 'view', is_expired: false, added_at: moment } as const
  const shown = makeCase({
    invitees: [
      { ...invited, id: pending, email: 'zarghuna@example.org' },
      { ...invited, id: expired, email: 'late@example.org', is_expired: true },
    ],
  })
  const calls = showCase(makeCase(), {
    [`PUT /api/cases/${caseId}/members`]: () => ({ body: shown }),
    [`DELETE /api/cases/${caseId}/members/${pending}`]: () => ({ body: makeCase() }),
  })
  await userEvent.type(
    await screen.findByLabelText('Add a member', { selector: 'input' }),
    'zarghuna@example.org{Enter}',
  )
  expect(await screen.findByText('zarghuna@example.org becomes a member by accepting the invitation')).toBeVisible()
  const row = within(await screen.findByRole('listitem', { name: 'zarghuna@example.org' }))
  expect(row.getByText('Invited, no account yet')).toBeVisible()
  expect(screen.getByText('Invitation expired: an admin can resend it')).toBeVisible()
  await userEvent.click(row.getByRole('button', { name: 'Remove zarghuna@example.org' }))
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'zarghuna@example.org' })).toBeNull())
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls.filter(({ key }) => key.startsWith('PUT'))).toHaveLength(2))
})

test('an admin who is no member changes and removes members for good, and adds none', async () => {
  const managed = makeCase({ role: null, notes: null })
  const confirm = 'POST /api/auth/confirm-password'
  const calls = showCase(
    managed,
    {
      [`DELETE /api/cases/${caseId}/members/${memberId}`]: () =>
        calls.some(({ key }) => key === confirm)
          ? { body: managed }
          : failure(403, 'Please confirm your password first.', { code: 'password_confirmation_required' }),
      [confirm]: () => ({ body: { access_token: 'new', refresh_token: 'new', message: 'Password confirmed' } }),
    },
    plainAdmin,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Sami Khan' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await userEvent.type(dialog.getByLabelText('Your password'), 'Harvest-moon7')
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Sami Khan removed from the case')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(screen.getByRole('combobox', { name: 'Role of Sami Khan' })).toBeVisible()
  expect(screen.queryByRole('textbox', { name: 'Add a member' })).toBeNull()
})

test('a super admin who is no member confirms the password before somebody is added', async () => {
  const managed = makeCase({ role: null, notes: null })
  const confirm = 'POST /api/auth/confirm-password'
  const calls = showCase(
    managed,
    {
      [`PUT /api/cases/${caseId}/members`]: () =>
        calls.some(({ key }) => key === confirm)
          ? { body: managed }
          : failure(403, 'Please confirm your password first.', { code: 'password_confirmation_required' }),
      [confirm]: () => ({ body: { access_token: 'new', refresh_token: 'new', message: 'Password confirmed' } }),
      'GET /api/auth/sessions': () => ({ body: { sessions: [] } }),
    },
    superAdmin,
  )
  await userEvent.type(await screen.findByLabelText('Add a member', { selector: 'input' }), 'lee@example.org{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await userEvent.type(dialog.getByLabelText('Your password'), 'Harvest-moon7')
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('lee@example.org is a member now')).toBeVisible()
})
