import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const [oldId, newId] = ['0123456789abcdef01234561', '0123456789abcdef01234562']
const request = {
  language: 'en',
  channel_languages: null,
  names: [],
  speaker_count: null,
  split_voices: [],
  model: null,
}
const version = {
  transcription_id: newId,
  is_current: true,
  finished_at: '2026-01-05T10:00:00.000Z',
  request,
  model: 'tiny',
  provenance: null,
  line_count: 2,
  word_count: 6,
  edited_line_count: 0,
  target_languages: [],
}
const earlier = { ...version, transcription_id: oldId, is_current: false, finished_at: '2026-01-04T10:00:00.000Z' }

const left = { start: 0, end: 2, speaker: 'Speaker A', channel: 0 }
const right = { start: 3, end: 5, speaker: 'Speaker B', channel: 1 }
const currentText = makeTranscript([makeSegment('good morning', left), makeSegment('is the bridge open', right)], {
  transcription_id: newId,
})
const halves = [
  { ...right, end: 4 },
  { ...right, start: 4 },
]
const earlierText = makeTranscript(
  [
    makeSegment('good evening', left),
    ...halves.map((half, index) => makeSegment(index ? 'bridge closed' : 'is the', half)),
  ],
  { transcription_id: oldId },
)

it('a line of another version is taken over as a correction, from one line or several', async () => {
  const recording = makeRecording(currentText, { version_count: 2 })
  const path = `/api/recordings/${recording.id}`
  const { user, sent } = await renderDesk(recording, {
    [`GET ${path}/versions`]: () => ({ body: { versions: [version, earlier] } }),
    [`GET ${path}/versions/${oldId}`]: () => ({ body: earlierText }),
    [`PATCH ${path}/lines`]: ({ body }) => {
      const { changes } = body as { changes: object[] }
      return { body: { revision: 1, edits: changes.map((change) => ({ ...change, revision: 1 })) } }
    },
  })
  await user.click(await screen.findByRole('tab', { name: /^Versions/ }))
  await user.click(await screen.findByRole('button', { name: 'Compare version 1' }))
  const lines = await screen.findByRole('list', { name: 'Lines of both versions' })
  await user.click(await within(lines).findByRole('button', { name: 'Take from version 1: the line at 0:03' }))
  expect(await sent(`PATCH ${path}/lines`)).toMatchObject({
    transcription_id: newId,
    changes: [{ from: [1], lines: [{ start: 3, end: 5, text: 'is the bridge closed' }] }],
  })
  await waitFor(() => expect(within(lines).queryByRole('button', { name: /the line at 0:03$/ })).toBeNull())
  expect(within(lines).getByRole('button', { name: 'Take from version 1: the line at 0:00' })).toBeVisible()
})
