import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { CaseDetails } from '#contract/cases.ts'
import { noProgress } from '#contract/review-state.ts'
import type { User } from '#contract/entities/user.ts'
import { plainAdmin, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { makeRecording } from '../../testing/transcripts.ts'
import { AddToCase } from './add-to-case.tsx'
import { CasesPage } from './cases-page.tsx'

const id = '0123456789abcdef0123456a'
const otherId = '0123456789abcdef0123456b'
const moment = '2026-01-02T03:04:05.000Z'

function makeCase(overrides: Partial<CaseDetails> = {}): CaseDetails {
  const member = { is_active: true, added_at: moment }
  return {
    id,
    name: 'Bridge',
    colour: 'plum',
    role: 'owner',
    owner: { id: someUser.id, name: 'Nadia Ahmadi' },
    member_count: 2,
    recording_count: 1,
    created_at: moment,
    updated_at: moment,
    notes: 'Who pays?',
    members: [
      { ...member, id: someUser.id, name: 'Nadia Ahmadi', email: someUser.email, role: 'owner' },
      { ...member, id: otherId, name: 'Sami Khan', email: 'sami@example.org', role: 'view' },
    ],
    ...overrides,
  }
}

const paged = { page: 1, per_page: 50, pages: 1 }
const listed = (cases: CaseDetails[]) => ({ body: { cases, total: cases.length, ...paged } })

function showCase(shown: CaseDetails, handlers: Parameters<typeof fakeServer>[0] = {}, reader: User = someUser) {
  const row = {
    recording: makeRecording(null),
    owner: { id: otherId, name: 'Sami Khan' },
    access: 'edit',
    added_at: moment,
    progress: noProgress,
  }
  const calls = fakeServer({
    [`GET /api/cases/${id}`]: () => ({ body: shown }),
    [`GET /api/cases/${id}/recordings`]: () => ({ body: { recordings: [row], total: 1, ...paged } }),
    [`GET /api/cases/${id}/progress`]: () => ({
      body: { recordings: 1, heard: 0.5, verified: 0.25, verified_twice: 0 },
    }),
    'GET /api/cases': () => listed([shown]),
    ...handlers,
  })
  renderAt(`/cases?case=${id}`, <CasesPage />, reader)
  return calls
}

test('a case says how much of its recordings was read', async () => {
  showCase(makeCase())
  const name = '50% of the lines heard by you, 25% verified'
  expect(await screen.findByRole('img', { name })).toHaveTextContent('50% heard, 25% verified')
})

describe('the list', () => {
  test('says what to do where there is no case, and creates one', async () => {
    const calls = fakeServer({
      'GET /api/cases': () => listed([]),
      'POST /api/cases': () => ({ status: 201, body: makeCase() }),
      [`GET /api/cases/${id}`]: () => ({ body: makeCase() }),
    })
    renderAt('/cases', <CasesPage />, someUser)
    expect(await screen.findByRole('heading', { name: 'No cases yet' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'New case' }))
    const dialog = await screen.findByRole('dialog', { name: 'New case' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create case' }))
    expect(await within(dialog).findByText('Please enter a name')).toBeVisible()
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Bridge')
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Plum' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create case' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Bridge' })).toBeVisible()
    const sent = calls.find(({ key }) => key === 'POST /api/cases')?.body
    expect(sent).toMatchObject({ name: 'Bridge', colour: 'plum' })
  })

  test('shows name, role and counts, and tells when it cannot be loaded', async () => {
    fakeServer({ 'GET /api/cases': () => listed([makeCase({ role: 'view' })]) })
    const { unmount } = renderAt('/cases', <CasesPage />, someUser)
    const row = within(await screen.findByRole('listitem'))
    expect(row.getByRole('link', { name: 'Bridge' })).toHaveAttribute('href', `/cases?case=${id}`)
    for (const text of ['1 recording', '2 members', 'Can read']) expect(row.getByText(text)).toBeVisible()
    unmount()
    fakeServer({ 'GET /api/cases': () => failure(500) })
    renderAt('/cases', <CasesPage />, someUser)
    expect(await screen.findByText('The cases could not be loaded.', {}, { timeout: 5000 })).toBeVisible()
  })
})

describe('a case', () => {
  test('its owner adds a member; a refused address is told at its field', async () => {
    const message = 'No account that can be added has this address.'
    const calls = showCase(makeCase(), {
      [`PUT /api/cases/${id}/members`]: ({ body }) =>
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
    const sami = { id: otherId, name: 'Sami Khan', email: 'sami@example.org' }
    const calls = showCase(makeCase(), {
      'GET /api/case-people': () => ({ body: { people: [gulalai, sami] } }),
      [`PUT /api/cases/${id}/members`]: () => ({ body: makeCase() }),
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

  test('an admin who is no member changes and removes members for good, and adds none', async () => {
    const managed = makeCase({ role: null, notes: null })
    const confirm = 'POST /api/auth/confirm-password'
    const calls = showCase(
      managed,
      {
        [`DELETE /api/cases/${id}/members/${otherId}`]: () =>
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
        [`PUT /api/cases/${id}/members`]: () =>
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

  test('deleting it names what is lost', async () => {
    const calls = showCase(makeCase(), { [`DELETE /api/cases/${id}`]: () => ({ body: { message: 'Case deleted' } }) })
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for the case' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete the case' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete this case?' })
    expect(dialog).toHaveTextContent('its notes and its list of 2 members are lost')
    expect(dialog).toHaveTextContent('1 recording stays with its owner')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete case' }))
    await waitFor(() => expect(calls.some(({ key }) => key === `DELETE /api/cases/${id}`)).toBe(true))
    expect(await screen.findByRole('heading', { level: 1, name: 'Cases' })).toBeVisible()
  })

  test('a reader leaves it, and changes nothing', async () => {
    showCase(makeCase({ role: 'view', owner: { id: otherId, name: 'Sami Khan' } }))
    expect(await screen.findByRole('link', { name: 'call.wav' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /Edit|Write|Remove|Take/ })).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More actions for the case' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Leave the case'])
  })

  test('one that is gone says so', async () => {
    fakeServer({ [`GET /api/cases/${id}`]: () => failure(404, 'Case not found', { code: 'not_found' }) })
    renderAt(`/cases?case=${id}`, <CasesPage />, someUser)
    expect(await screen.findByRole('heading', { name: 'This case is not here' })).toBeVisible()
  })
})

test('selected recordings are added to a case that is searched for, or to a new one', async () => {
  const calls = fakeServer({
    'GET /api/cases': () => listed([makeCase()]),
    'POST /api/cases': () => ({ status: 201, body: makeCase({ name: 'Harbour' }) }),
    [`POST /api/cases/${id}/recordings`]: () => ({ body: { added: 2, ids: [id, otherId] } }),
  })
  let doneCount = 0
  const selection = { ids: [id, otherId] }
  renderAt('/dashboard', <AddToCase selection={selection} count={2} onDone={() => (doneCount += 1)} />, someUser)
  await userEvent.click(screen.getByRole('button', { name: 'Add to case…' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Bridge/ }))
  await waitFor(() => expect(doneCount).toBe(1))
  expect(calls.findLast(({ key }) => key.endsWith('/recordings'))?.body).toEqual({ selection })
  await userEvent.click(screen.getByRole('button', { name: 'Add to case…' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Search cases, or name a new one' }), 'Harbour')
  await userEvent.click(screen.getByRole('button', { name: /^Create “ ?Harbour ?” and add$/ }))
  await waitFor(() => expect(doneCount).toBe(2))
  expect(calls.some(({ key }) => key === 'POST /api/cases')).toBe(true)
})

describe('a case with days', () => {
  async function addTo(days: number, serverDays: number) {
    const calls = fakeServer({
      'GET /api/retention': () => ({ body: { days: serverDays, has_case_days: true } }),
      'GET /api/cases': () => listed([makeCase({ retention_days: days })]),
      [`POST /api/cases/${id}/recordings`]: () => ({ body: { added: 1, ids: [id] } }),
    })
    renderAt('/dashboard', <AddToCase selection={{ ids: [id] }} count={1} onDone={() => undefined} />, someUser)
    await userEvent.click(screen.getByRole('button', { name: 'Add to case…' }))
    await userEvent.click(await screen.findByRole('button', { name: /^Bridge/ }))
    return () => calls.some(({ key }) => key.endsWith('/recordings'))
  }

  test.each([
    [7, 0],
    [7, 30],
  ])(
    'asks before recordings go earlier than without it: after %i days, without it after %i',
    async (days, serverDays) => {
      const wasAdded = await addTo(days, serverDays)
      expect(await screen.findByText(/are deleted 7 days after their upload/)).toBeVisible()
      expect(wasAdded()).toBe(false)
      await userEvent.click(screen.getByRole('button', { name: 'Add all the same' }))
      await waitFor(() => expect(wasAdded()).toBe(true))
    },
  )

  test.each([
    [60, 30],
    [0, 30],
  ])('asks nothing where they are kept longer: for %i days, without it for %i', async (days, serverDays) => {
    const wasAdded = await addTo(days, serverDays)
    await waitFor(() => expect(wasAdded()).toBe(true))
  })
})
