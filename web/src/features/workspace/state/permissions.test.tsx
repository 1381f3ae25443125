import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { RecordingAccess } from '#contract/entities/recording.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const cases = [{ id: '0123456789abcdef0123456a', name: 'Bridge', colour: 'plum', role: 'view', member_count: 2 }]

async function showShared(access: RecordingAccess) {
  const recording = makeRecording(makeTranscript([makeSegment('good morning')]), { access })
  const shown = cases.map((each) => ({ ...each, role: access === 'owner' ? 'owner' : access }))
  const view = await renderDesk(recording, {
    [`GET /api/recordings/${recording.id}/cases`]: () => ({ body: { cases: shown } }),
  })
  await screen.findByText('Bridge')
  return view
}

const owning = ['Retranscribe', 'Start AI Translation']

test('the owner does everything', async () => {
  await showShared('owner')
  for (const name of owning) expect(screen.getByRole('button', { name })).toBeEnabled()
  expect(screen.getByText('Members of these cases read this recording.')).toBeVisible()
})

test('a member with edit corrects, and starts nothing', async () => {
  await showShared('edit')
  for (const name of owning) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByText(/Its owner alone transcribes, translates and renames it/)).toBeVisible()
  await userEvent.keyboard('e')
  expect(await screen.findByRole('textbox', { name: /^Text of the line/ })).toBeVisible()
})

test('a reader is offered nothing that changes the recording, and keys tell why', async () => {
  const { calls } = await showShared('view')
  for (const name of owning) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByRole('link', { name: 'Bridge' })).toHaveAttribute('href', `/cases?case=${cases[0]?.id}`)
  await userEvent.keyboard('e')
  expect(await screen.findByText(/You may read this recording, but not change it/)).toBeVisible()
  await userEvent.keyboard('b')
  const panels = screen.getByRole('complementary', { name: 'Panels' })
  await userEvent.click(within(panels).getByRole('tab', { name: /Notes/ }))
  expect(await screen.findByText('Nobody has written a note yet.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add note' })).toBeNull()
  await waitFor(() => expect(calls.every(({ key }) => key.startsWith('GET'))).toBe(true))
})

test('the desk closes when the cases of a recording no longer allow it', async () => {
  const recording = makeRecording(makeTranscript([makeSegment('good morning')]), { access: 'edit' })
  const path = `/api/recordings/${recording.id}`
  const gone = failure(404, 'Recording not found', { code: 'not_found' })
  let isShared = true
  const cases = () => {
    isShared = false
    return gone
  }
  await renderDesk(recording, {
    [`GET ${path}`]: () => (isShared ? { body: recording } : gone),
    [`GET ${path}/cases`]: cases,
  })
  expect(await screen.findByRole('heading', { name: 'This recording is not here' })).toBeVisible()
})
