import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { downloadFile } from '../../../shared/download.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { DiarizationPanel } from './diarization-panel.tsx'

vi.mock('../../../shared/download.ts', { spy: true })

const key = 'POST /api/speaker-diarization'
const transcript = makeTranscript([makeSegment('سلام')])
const diarization: DiarizationResult = {
  num_speakers: 2,
  dialogue_timeline: [
    { speaker: 'Speaker A', timestamp: 1, text: 'سلام' },
    { speaker: 'Speaker B', timestamp: 5, text: 'ښه' },
  ],
}

beforeEach(() => {
  vi.mocked(downloadFile).mockReset()
})

function show(recording: RecordingDetails, selected = { language: 'ps', rightLanguage: 'en' }) {
  const calls = fakeServer({ [key]: () => failure(422, 'No engine does this.', { help: 'Ask your administrator.' }) })
  const seek = vi.fn()
  const panel = <DiarizationPanel recording={recording} selected={selected} />
  const { user } = renderAt('/transcribe', withPlayer(panel, makePlayer(seek)), someUser)
  const sent = async () => {
    await waitFor(() => expect(calls.map((call) => call.key)).toContain(key))
    return calls.find((call) => call.key === key)?.body
  }
  return { user, sent, seek }
}

const startButton = () => screen.getByRole('button', { name: 'Start Diarization' })

describe('without a dialogue', () => {
  it('requests one in the selected languages where there is no transcript', async () => {
    const { user, sent } = show(makeRecording(null))
    await user.click(startButton())
    expect(await sent()).toMatchObject({ language: 'ps', channel_languages: ['ps', 'en'], force: false })
  })

  it('requests one with the words of the transcript on screen', async () => {
    const recording = makeRecording(transcript)
    const { user, sent } = show(recording)
    await user.click(startButton())
    expect(await sent()).toEqual({ file_id: recording.id, with_transcription: true, force: false })
  })

  it('shows why it could not be started, with what can be done', async () => {
    const { user } = show(makeRecording(transcript))
    await user.click(startButton())
    expect(await screen.findByText('No engine does this. Ask your administrator.')).toBeVisible()
    expect(startButton()).toBeEnabled()
  })
})

it('shows the progress of a running diarization', () => {
  show(makeRecording(transcript, { job: makeRunningJob(null, { kind: 'diarize' }) }))
  expect(screen.getByRole('status')).toHaveTextContent('Initializing diarization...')
  expect(screen.queryByRole('button', { name: 'Start Diarization' })).toBeNull()
})

describe('a dialogue', () => {
  it('lists who says what when, and seeks', async () => {
    const { user, seek } = show(makeRecording(transcript, { diarization }))
    const lines = within(screen.getByRole('list', { name: 'Dialogue' })).getAllByRole('button')
    expect(lines.map((line) => line.textContent)).toEqual(['0:01Speaker Aسلام', '0:05Speaker Bښه'])
    expect(screen.getByText('2 speakers')).toBeVisible()
    await user.click(lines[1] ?? document.body)
    expect(seek).toHaveBeenCalledExactlyOnceWith(5)
  })

  it('shows that there is no speech', () => {
    show(makeRecording(transcript, { diarization: { num_speakers: 0, dialogue_timeline: [] } }))
    expect(screen.getByText('No speech was found in this recording.')).toBeVisible()
  })

  it('is exported with the names of the speakers', async () => {
    const { user } = show(makeRecording(transcript, { diarization }))
    await user.click(screen.getByRole('button', { name: 'Export JSON' }))
    const [name, content] = vi.mocked(downloadFile).mock.calls[0] ?? []
    expect(name).toBe('call-dialogue.json')
    expect(JSON.parse(String(content))).toMatchObject({
      dialogue_timeline: [{ name: 'Speaker A' }, { name: 'Speaker B' }],
    })
  })

  it('is repeated on demand', async () => {
    const { user, sent } = show(makeRecording(transcript, { diarization }))
    await user.click(screen.getByRole('button', { name: 'Re-analyze' }))
    expect(await sent()).toMatchObject({ force: true })
  })

  it('is hidden and shown', async () => {
    const { user } = show(makeRecording(transcript, { diarization }))
    const hide = screen.getByRole('button', { name: 'Hide' })
    expect(hide).toHaveAttribute('aria-expanded', 'true')
    await user.click(hide)
    expect(screen.getByRole('button', { name: 'Show' })).toHaveAttribute('aria-expanded', 'false')
  })
})
