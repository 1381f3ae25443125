import { screen } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../testing/transcripts.ts'
import { WorkspacePage } from './workspace-page.tsx'

const recording = makeRecording(makeTranscript([makeSegment('سلام ورور')]))
const key = `GET /api/recordings/${recording.id}`

function show(handler: NonNullable<Parameters<typeof fakeServer>[0][string]>) {
  fakeServer({ [key]: handler })
  return renderAt(`/transcribe?recording=${recording.id}`, <WorkspacePage />, someUser)
}

it('shows that the recording is loading', async () => {
  let respond = () => {}
  show(() => new Promise((resolve) => (respond = () => resolve({ body: recording }))))
  expect(await screen.findByRole('status')).toHaveTextContent('Loading the recording')
  respond()
  expect(await screen.findByRole('heading', { level: 1, name: 'call.wav' })).toBeVisible()
})

it('composes player, transcript, translation, and tabs of analysis, speakers, notes and versions', async () => {
  const { user } = show(() => ({ body: recording }))
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  for (const name of ['Audio player', 'Transcription', 'Translation', 'Intelligence Analysis']) {
    expect(await screen.findByRole('region', { name })).toBeVisible()
  }
  expect(await screen.findByRole('list', { name: 'Transcript Timeline' })).toBeVisible()
  await user.click(screen.getByRole('tab', { name: 'Speakers' }))
  expect(await screen.findByRole('region', { name: 'Speakers' })).toBeVisible()
  expect(screen.getByRole('region', { name: 'Speaker Diarization' })).toBeVisible()
  await user.click(screen.getByRole('tab', { name: 'Notes' }))
  expect(await screen.findByRole('tabpanel', { name: 'Notes' })).toBeVisible()
})

it('keeps the chosen tab, and whether the panels are shown', async () => {
  const { user, unmount } = show(() => ({ body: recording }))
  await user.click(await screen.findByRole('tab', { name: 'Speakers' }))
  unmount()
  const again = show(() => ({ body: recording }))
  expect(await screen.findByRole('tab', { name: 'Speakers', selected: true })).toBeVisible()
  await again.user.click(screen.getByRole('button', { name: 'Hide the panels' }))
  expect(screen.queryByRole('tab')).toBeNull()
  await again.user.click(screen.getByRole('button', { name: 'Show Notes' }))
  expect(screen.getByRole('tab', { name: 'Notes', selected: true })).toBeVisible()
})

it('shows that the recording was deleted while it was open', async () => {
  let isDeleted = false
  const { client } = show(() =>
    isDeleted ? failure(404, 'Recording not found', { code: 'not_found' }) : { body: recording },
  )
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  isDeleted = true
  await client.invalidateQueries({ queryKey: ['recording', recording.id] })
  expect(await screen.findByRole('heading', { name: 'This recording is not here' })).toBeVisible()
})

it('searches the transcript and lists the shortcuts by keyboard', async () => {
  const { user } = show(() => ({ body: recording }))
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  await user.keyboard('/')
  const field = screen.getByRole('searchbox', { name: 'Search the conversation' })
  expect(field).toHaveFocus()
  await user.keyboard('?')
  expect(field).toHaveValue('?')
  field.blur()
  await user.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toHaveTextContent('Play or pause')
})

it.each([
  [404, 'not_found'],
  [400, 'invalid_input'],
])('shows that a recording does not exist: %d %s', async (status, code) => {
  show(() => failure(status, 'Recording not found', { code }))
  expect(await screen.findByRole('heading', { name: 'This recording is not here' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Upload a recording' })).toHaveAttribute('href', '/upload')
})

it('offers to try again where a recording could not be loaded', async () => {
  let isBroken = true
  const { user } = show(() => (isBroken ? failure(500) : { body: recording }))
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByRole('heading', { level: 1, name: 'call.wav' })).toBeVisible()
})

describe('without a recording in the address', () => {
  const stored = { name: 'call.wav', size: 1000, url: '/api/audio/x', backendId: recording.id, is_stereo: true }

  function open() {
    fakeServer({ [key]: () => ({ body: recording }) })
    renderAt(
      '/transcribe',
      <Routes>
        <Route path="/transcribe" element={<WorkspacePage />} />
        <Route path="/upload" element={<h1>Upload</h1>} />
      </Routes>,
      someUser,
    )
  }

  it('opens the uploaded file that session storage names', async () => {
    sessionStorage.setItem('uploaded_file', JSON.stringify(stored))
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'call.wav' })).toBeVisible()
  })

  it.each([
    ['is missing', null],
    ['is no JSON', '{"backendId":'],
    ['lacks the id', JSON.stringify({ ...stored, backendId: '' })],
  ])('goes to /upload where the uploaded file %s', async (_, text) => {
    if (text !== null) sessionStorage.setItem('uploaded_file', text)
    open()
    expect(await screen.findByRole('heading', { name: 'Upload' })).toBeVisible()
  })
})

it('keeps name, size, url, id and channels of the recording in session storage', async () => {
  show(() => ({ body: recording }))
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  expect(JSON.parse(sessionStorage.getItem('uploaded_file') ?? '')).toEqual({
    name: 'call.wav',
    size: 1000,
    url: `/api/audio/${recording.id}`,
    backendId: recording.id,
    is_stereo: true,
  })
})
