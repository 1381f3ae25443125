import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
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

it('composes player, speakers, transcript, translation, analysis and dialogue', async () => {
  show(() => ({ body: recording }))
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  for (const name of [
    'Audio player',
    'Speakers',
    'Transcription',
    'Translation',
    'Intelligence Analysis',
    'Speaker Diarization',
  ]) {
    expect(screen.getByRole('region', { name })).toBeVisible()
  }
})

it('searches the transcript and lists the shortcuts by keyboard', async () => {
  const { user } = show(() => ({ body: recording }))
  await screen.findByRole('heading', { level: 1, name: 'call.wav' })
  await user.keyboard('/')
  expect(screen.getByRole('textbox', { name: 'Search the transcript' })).toHaveFocus()
  await user.keyboard('x')
  expect(screen.getByText('Nothing holds “x”.')).toBeVisible()
  screen.getByRole('textbox', { name: 'Search the transcript' }).blur()
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
