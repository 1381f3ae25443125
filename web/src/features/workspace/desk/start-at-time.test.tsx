import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { WorkspacePage } from '../workspace-page.tsx'

const recording = makeRecording(
  makeTranscript([
    makeSegment('وسله کور ته راوړه', { start: 1, end: 3 }),
    makeSegment('my brother is here', { start: 4, end: 6.5 }),
    makeSegment('to the bridge, brother', { start: 6.3, end: 8 }),
  ]),
)

async function show(parameters: string) {
  fakeServer({ [`GET /api/recordings/${recording.id}`]: () => ({ body: recording }) })
  const { container } = renderAt(`/transcribe?recording=${recording.id}${parameters}`, <WorkspacePage />, someUser)
  // On a busy machine the whole desk takes longer to load than one panel.
  await screen.findByRole('list', { name: 'Transcript Timeline' }, { timeout: 5000 })
  return { audio: () => container.querySelector('audio') }
}

const focusedRow = () => document.activeElement?.closest('[data-line]')

it.each([
  ['that begins then', '&t=6.3', 'to the bridge', 6.3],
  ['that begins then but for rounding', '&t=6.2995', 'to the bridge', 6.2995],
  ['that is spoken then, from its beginning', '&t=5', 'my brother', 4],
  ['that was spoken before', '&t=3.5', 'راوړه', 1.5],
])('the desk opens at the line %s', async (_, parameters, text, seconds) => {
  const { audio } = await show(parameters)
  await waitFor(() => expect(focusedRow()).toHaveTextContent(text))
  expect(audio()?.currentTime).toBe(seconds)
})

it('the desk searches for what its address says, from the line of the address on', async () => {
  await show('&t=6.3&find=brother')
  expect(await screen.findByText('Match 2 of 2')).toBeInTheDocument()
  expect(screen.getByRole('searchbox', { name: 'Search the conversation' })).toHaveValue('brother')
  await waitFor(() => expect(focusedRow()).toHaveTextContent('to the bridge'))
})

it('an address with no time of a line changes nothing', async () => {
  const { audio } = await show('&t=soon')
  expect(audio()?.currentTime).toBe(0)
  expect(focusedRow() ?? null).toBeNull()
})
