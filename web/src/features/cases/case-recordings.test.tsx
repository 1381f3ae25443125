import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CaseDetails, CaseRecording } from '#contract/cases.ts'
import { noProgress } from '#contract/review-state.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { makeRecording, makeRunningJob } from '../../testing/transcripts.ts'
import { CaseRecordingRow } from './case-recordings.tsx'

const moment = '2026-01-02T03:04:05.000Z'
const shown: CaseDetails = {
  id: '0123456789abcdef0123456a',
  name: 'Bridge',
  colour: 'plum',
  role: 'edit',
  owner: { id: 'b'.repeat(24), name: 'Sami Khan' },
  member_count: 2,
  recording_count: 1,
  created_at: moment,
  updated_at: moment,
  notes: '',
  members: [],
  invitees: [],
}
const recording = makeRecording(null)
const owner = { id: someUser.id, name: 'Nadia Ahmadi' }

function renderRow(changes: Partial<CaseRecording['recording']> = {}, progress = noProgress) {
  const row: CaseRecording = {
    recording: { ...recording, ...changes },
    owner,
    access: 'owner',
    added_at: moment,
    progress,
  }
  const calls = fakeServer({
    [`DELETE /api/cases/${shown.id}/recordings/${recording.id}`]: () => ({ body: { message: 'Taken out' } }),
    [`POST /api/cases/${shown.id}/recordings`]: () => ({ body: { added: 1, ids: [recording.id] } }),
  })
  return { calls, ...renderAt('/cases', <CaseRecordingRow row={row} shown={shown} />, someUser) }
}

describe('a recording of a case', () => {
  it.each([
    ['not transcribed', {}],
    ['transcribed', { transcription_id: recording.id }],
    ['waiting', { job: makeRunningJob(null, { state: 'queued' }) }],
    ['in work', { job: makeRunningJob(null) }],
  ])('says that it is %s', (text, changes) => {
    renderRow(changes)
    expect(screen.getByText(text)).toBeVisible()
  })

  it('says how much of it was read', () => {
    renderRow({}, { heard: 0.5, verified: 0.25, verified_twice: 0.1 })
    const name = '50% of the lines heard by you, 25% verified, 10% by two people'
    expect(screen.getByRole('img', { name })).toHaveTextContent('50% heard, 25% verified')
  })

  it('is taken out by its owner, and put back by Undo', async () => {
    const { calls, user } = renderRow()
    await user.click(screen.getByRole('button', { name: 'Take call.wav out of the case' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const added = () => calls.find(({ key }) => key.startsWith('POST'))?.body
    await waitFor(() => expect(added()).toEqual({ selection: { ids: [recording.id] } }))
  })
})
