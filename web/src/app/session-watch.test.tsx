import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { saveTokens } from '../shared/api/tokens.ts'
import { fakeEventStreams } from '../testing/fake-event-stream.ts'
import { fakeServer, someUser } from '../testing/fake-server.ts'
import { renderAt } from '../testing/render.tsx'
import { makeRecording, makeRunningJob } from '../testing/transcripts.ts'
import { SessionWatch } from './session-watch.tsx'

const recording = makeRecording(null)

function follow() {
  const { streams, respond } = fakeEventStreams()
  fakeServer({
    'GET /api/events': respond,
    'GET /api/batches': () => ({ body: { batches: [] } }),
    [`GET /api/recordings/${recording.id}`]: () => ({ body: recording }),
  })
  saveTokens({ access_token: 'a', refresh_token: 'r' })
  const { client } = renderAt('/settings/profile', <SessionWatch />, someUser)
  client.setQueryData(['recording', recording.id], recording)
  return { streams }
}

it('a user who is signed in is told that a job has ended, whatever page is shown', async () => {
  const { streams } = follow()
  await waitFor(() => expect(streams).toHaveLength(1))
  const job = makeRunningJob(null, { id: 'e'.repeat(24) })
  streams[0]?.send({ type: 'job', job })
  streams[0]?.send({ type: 'job', job: { ...job, state: 'done', finished_at: '2026-01-02T03:05:00.000Z' } })
  expect(await screen.findByText('The transcription of call.wav is finished.')).toBeVisible()
})
