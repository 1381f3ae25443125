import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Hold } from '#contract/holds.ts'
import { renderDesk } from '../../testing/desk-screen.tsx'
import { captureDownloads } from '../../testing/downloads.ts'
import { failure } from '../../testing/fake-server.ts'
import { makeListed, renderLibrary } from '../../testing/library.tsx'
import { makeRecording } from '../../testing/transcripts.ts'

const recording = makeListed(1, { name: 'زنگ ۱.wav' })
const held = { ...recording, is_held: true as const }
const path = `/api/recordings/${recording.id}/hold`

function makeHold(overrides: Partial<Hold> = {}): Hold {
  return {
    of: 'recording',
    case: null,
    reason: 'حکم محکمه ۷',
    set_by: 'Nadia Ahmadi',
    is_by_admin: false,
    set_at: '2026-11-02T10:00:00.000Z',
    can_lift: true,
    ...overrides,
  }
}

const loaded = (holds: Hold[], canHold = true) => ({ body: { holds, can_hold: canHold } })

it('a recording is put on hold from its menu, with a reason', async () => {
  const { user, sent } = renderLibrary([recording], {
    [`GET ${path}`]: () => loaded([]),
    [`PUT ${path}`]: () => loaded([makeHold()]),
  })
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Legal hold…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
  await user.click(await dialog.findByRole('button', { name: 'Put on hold' }))
  expect(await dialog.findByText('Please give a reason')).toBeVisible()
  expect(sent(`PUT ${path}`)).toBeUndefined()
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Court order 7')
  await user.click(dialog.getByRole('button', { name: 'Put on hold' }))
  expect(await screen.findByText('On legal hold')).toBeVisible()
  expect(sent(`PUT ${path}`)).toEqual({ reason: 'Court order 7' })
})

it('the row says that a recording is on hold, and a refused deletion says whom to ask', async () => {
  const help = 'The recording shows who set the hold. Ask them, or an administrator, to lift it.'
  const refusal = failure(409, 'This recording is on legal hold: nothing of it can be deleted', {
    code: 'on_hold',
    help,
  })
  const { user } = renderLibrary([held], { 'POST /api/library/remove': () => refusal })
  expect(await screen.findByText('On hold')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(
    await screen.findByText(`This recording is on legal hold: nothing of it can be deleted. ${help}`),
  ).toBeVisible()
})

it('of several recordings, those on hold are left, which is said', async () => {
  const free = makeListed(2)
  const { user } = renderLibrary([held, free], {
    'POST /api/library/remove': () => ({
      body: { removed: 1, ids: [free.id], held_ids: [held.id], restorable_until: '2026-11-02T10:10:00.000Z' },
    }),
  })
  await user.click(await screen.findByRole('checkbox', { name: `Select ${held.name}` }))
  await user.click(screen.getByRole('checkbox', { name: `Select ${free.name}` }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('One recording is on legal hold and was left as it is')).toBeVisible()
})

it('the desk shows who holds a recording and why, and lifts it with a reason', async () => {
  const shown = makeRecording(null, { is_held: true })
  const hold = `/api/recordings/${shown.id}/hold`
  const { user, calls } = await renderDesk(shown, {
    [`GET ${hold}`]: () => loaded([makeHold()]),
    [`POST ${hold}/lift`]: () => loaded([]),
  })
  await user.click(screen.getByRole('button', { name: 'On hold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
  expect(await dialog.findByText('حکم محکمه ۷')).toHaveAttribute('dir', 'auto')
  expect(dialog.getByText(/Set by/)).toHaveTextContent('The owner of the recording and administrators can lift it.')
  await user.type(dialog.getByRole('textbox', { name: /^Why the hold is lifted/ }), 'Matter closed')
  await user.click(dialog.getByRole('button', { name: 'Lift the hold' }))
  expect(await screen.findByText('Hold lifted')).toBeVisible()
  expect(calls.findLast(({ key }) => key === `POST ${hold}/lift`)?.body).toEqual({ reason: 'Matter closed' })
})

it('the desk puts a recording on hold from its details, which show who did', async () => {
  const shown = makeRecording(null)
  const hold = `/api/recordings/${shown.id}/hold`
  let holds: Hold[] = []
  const { user, sent } = await renderDesk(shown, {
    [`GET /api/recordings/${shown.id}`]: () => ({ body: { ...shown, ...(holds.length > 0 && { is_held: true }) } }),
    [`GET ${hold}`]: () => loaded(holds),
    [`PUT ${hold}`]: () => loaded((holds = [makeHold()])),
  })
  await user.click(screen.getByRole('button', { name: 'Details' }))
  await user.click(await screen.findByRole('button', { name: 'Legal hold…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
  await user.type(await dialog.findByRole('textbox', { name: /^Reason/ }), 'Court order 7')
  await user.click(dialog.getByRole('button', { name: 'Put on hold' }))
  expect(await sent(`PUT ${hold}`)).toEqual({ reason: 'Court order 7' })
  expect(await screen.findByRole('button', { name: 'On hold' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Details' }))
  const facts = within(await screen.findByRole('region', { name: 'Legal hold' }))
  expect(facts.getByText('حکم محکمه ۷')).toBeVisible()
})

it('what an administrator holds has no form for others, and a case that one does not see stays unnamed', async () => {
  const shown = makeRecording(null, { is_held: true })
  const holds = [
    makeHold({ is_by_admin: true, can_lift: false }),
    makeHold({ of: 'case', reason: null, set_by: '', can_lift: false, set_at: '2026-11-03T10:00:00.000Z' }),
  ]
  const { user } = await renderDesk(shown, { [`GET /api/recordings/${shown.id}/hold`]: () => loaded(holds, false) })
  await user.click(screen.getByRole('button', { name: 'On hold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
  expect(await dialog.findByText(/as an administrator/)).toHaveTextContent('Only administrators can lift it.')
  expect(dialog.getByText(/Of a case that you do not see/)).toBeVisible()
  expect(dialog.queryByRole('textbox')).toBeNull()
})

it('what was changed on hold is downloaded, and said where nothing was', async () => {
  const shown = makeRecording(null, { is_held: true })
  const path = `/api/recordings/${shown.id}/hold`
  const saved = captureDownloads()
  let lines = ''
  const { user } = await renderDesk(shown, {
    [`GET ${path}`]: () => loaded([makeHold()]),
    [`GET ${path}/kept`]: () => new Response(lines),
  })
  await user.click(screen.getByRole('button', { name: 'On hold' }))
  const button = await screen.findByRole('button', { name: 'Download what was changed on hold' })
  await user.click(button)
  expect(await screen.findByText('Nothing was changed since the hold was set')).toBeVisible()
  lines = '{"kind":"name"}\n'
  await user.click(button)
  await waitFor(() => expect(saved).toHaveLength(1))
})
