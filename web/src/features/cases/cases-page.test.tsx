import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { caseId, caseListResponse, makeCase, memberId, showCase } from '../../testing/cases.tsx'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { AddToCase } from './add-to-case.tsx'
import { CasesPage } from './cases-page.tsx'

test('a case says how much of its recordings was read', async () => {
  showCase(makeCase())
  const name = '50% of the lines heard by you, 25% verified'
  expect(await screen.findByRole('img', { name })).toHaveTextContent('50% heard, 25% verified')
})

describe('the list', () => {
  test('says what to do where there is no case, and creates one', async () => {
    const calls = fakeServer({
      'GET /api/cases': () => caseListResponse([]),
      'POST /api/cases': () => ({ status: 201, body: makeCase() }),
      [`GET /api/cases/${caseId}`]: () => ({ body: makeCase() }),
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
    fakeServer({ 'GET /api/cases': () => caseListResponse([makeCase({ role: 'view' })]) })
    const { unmount } = renderAt('/cases', <CasesPage />, someUser)
    const row = within(await screen.findByRole('listitem'))
    expect(row.getByRole('link', { name: 'Bridge' })).toHaveAttribute('href', `/cases?case=${caseId}`)
    for (const text of ['1 recording', '2 members', 'Can read']) expect(row.getByText(text)).toBeVisible()
    unmount()
    fakeServer({ 'GET /api/cases': () => failure(500) })
    renderAt('/cases', <CasesPage />, someUser)
    expect(await screen.findByText('The cases could not be loaded.', {}, { timeout: 5000 })).toBeVisible()
  })
})

describe('a case', () => {
  test('deleting it names what is lost', async () => {
    const calls = showCase(makeCase(), {
      [`DELETE /api/cases/${caseId}`]: () => ({ body: { message: 'Case deleted' } }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for the case' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete the case' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete this case?' })
    expect(dialog).toHaveTextContent('its notes and its list of 2 members are lost')
    expect(dialog).toHaveTextContent('1 recording stays with its owner')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete case' }))
    await waitFor(() => expect(calls.some(({ key }) => key === `DELETE /api/cases/${caseId}`)).toBe(true))
    expect(await screen.findByRole('heading', { level: 1, name: 'Cases' })).toBeVisible()
  })

  test('a reader leaves it, and changes nothing', async () => {
    showCase(makeCase({ role: 'view', owner: { id: memberId, name: 'Sami Khan' } }))
    expect(await screen.findByRole('link', { name: 'call.wav' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /Edit|Write|Remove|Take/ })).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'More actions for the case' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Leave the case'])
  })

  test('one that is gone says so', async () => {
    fakeServer({ [`GET /api/cases/${caseId}`]: () => failure(404, 'Case not found', { code: 'not_found' }) })
    renderAt(`/cases?case=${caseId}`, <CasesPage />, someUser)
    expect(await screen.findByRole('heading', { name: 'This case is not here' })).toBeVisible()
  })
})

test('selected recordings are added to a case that is searched for, or to a new one', async () => {
  const calls = fakeServer({
    'GET /api/cases': () => caseListResponse([makeCase()]),
    'POST /api/cases': () => ({ status: 201, body: makeCase({ name: 'Harbour' }) }),
    [`POST /api/cases/${caseId}/recordings`]: () => ({ body: { added: 2, ids: [caseId, memberId] } }),
  })
  let doneCount = 0
  const selection = { ids: [caseId, memberId] }
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
      'GET /api/cases': () => caseListResponse([makeCase({ retention_days: days })]),
      [`POST /api/cases/${caseId}/recordings`]: () => ({ body: { added: 1, ids: [caseId] } }),
    })
    renderAt('/dashboard', <AddToCase selection={{ ids: [caseId] }} count={1} onDone={() => undefined} />, someUser)
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
