import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const key = 'POST /api/speaker-diarization'
const transcript = makeTranscript([makeSegment('سلام')])
/** The transcript of a call whose channels contain several voices. */
const separated = makeTranscript([makeSegment('سلام')], { speaker_separation: { by: 'voices' } })
const diarization: DiarizationResult = {
  num_speakers: 2,
  dialogue_timeline: [
    { speaker: 'Speaker A', timestamp: 1, text: 'سلام' },
    { speaker: 'Speaker B', timestamp: 5, text: 'ښه' },
  ],
}

const refusal = failure(422, 'No engine does this.', { help: 'Ask your administrator.' })

async function show(recording: RecordingDetails, answer = refusal) {
  const { user, sent } = await renderDesk(recording, { [key]: () => answer })
  await user.click(screen.getByRole('tab', { name: 'Speakers' }))
  await screen.findByRole('region', { name: 'Speaker Diarization' })
  return { user, sent: () => sent(key) }
}

const startButton = () => screen.getByRole('button', { name: 'Start Diarization' })

describe('without a dialogue', () => {
  it('says that no voices have to be told apart where each channel is a speaker, and lists what they said', async () => {
    const recording = makeRecording(transcript)
    const { user, sent } = await show(recording)
    expect(screen.getByText(/Each channel is a speaker already/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Start Diarization' }))
    expect(await sent()).toEqual({ file_id: recording.id, with_transcription: true, force: false })
  })

  it('requests one in the selected languages where there is no transcript', async () => {
    const { user, sent } = await show(makeRecording(null))
    await user.click(screen.getByRole('combobox', { name: 'Right Channel' }))
    await user.click(screen.getByRole('option', { name: 'English' }))
    await user.click(startButton())
    expect(await sent()).toMatchObject({ language: 'ps', channel_languages: ['ps', 'en'], force: false })
  })

  it('requests one with the words of the transcript on screen', async () => {
    const recording = makeRecording(separated)
    const { user, sent } = await show(recording)
    await user.click(startButton())
    expect(await sent()).toEqual({ file_id: recording.id, with_transcription: true, force: false })
  })

  it('shows why it could not be started, with what can be done', async () => {
    const { user } = await show(makeRecording(separated))
    await user.click(startButton())
    expect(await screen.findByText('No engine does this. Ask your administrator.')).toBeVisible()
    expect(startButton()).toBeEnabled()
  })

  it('shows the sentence of the specification where the response has no help', async () => {
    const { user } = await show(makeRecording(separated), failure(500, 'The engine stopped.'))
    await user.click(startButton())
    expect(
      await screen.findByText('Failed to perform speaker diarization. Please try again.', undefined, { timeout: 5000 }),
    ).toBeVisible()
  })
})

it('shows the progress of a running diarization', async () => {
  await show(makeRecording(separated, { job: makeRunningJob(null, { kind: 'diarize' }) }))
  expect(screen.getByText('Initializing diarization...')).toHaveRole('status')
  expect(startButton()).toBeDisabled()
})

describe('a dialogue', () => {
  it('lists who says what when, and seeks', async () => {
    const { user } = await show(makeRecording(transcript, { diarization }))
    const lines = within(screen.getByRole('list', { name: 'Dialogue' })).getAllByRole('button')
    expect(lines.map((line) => line.textContent)).toEqual(['0:01Left Channelسلام', '0:05Right Channelښه'])
    expect(screen.getByText('2 speakers')).toBeVisible()
    await user.click(lines[1] ?? document.body)
    expect(screen.getByRole('slider', { name: 'Position in the recording' })).toHaveAttribute('aria-valuenow', '5')
  })

  it('has a player of its own', async () => {
    const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    const { user } = await show(makeRecording(transcript, { diarization }))
    await user.click(screen.getByRole('button', { name: 'Play the dialogue' }))
    expect(play).toHaveBeenCalledOnce()
    expect(screen.getByText('0:00 / 1:00')).toBeVisible()
  })

  it('has speaker dots that cycle over 6 colours', async () => {
    const speakers = [...'ABCDEFGH'].map((letter) => `Speaker ${letter}`)
    const timeline = speakers.map((speaker, timestamp) => ({ speaker, timestamp, text: 'سلام' }))
    await show(makeRecording(transcript, { diarization: { num_speakers: 8, dialogue_timeline: timeline } }))
    const dots = [...screen.getByRole('list', { name: 'Dialogue' }).querySelectorAll('[data-voice]')]
    expect(dots.map((dot) => dot.getAttribute('data-voice'))).toEqual(['0', '1', '2', '3', '4', '5', '0', '1'])
  })

  it('shows that there is no speech', async () => {
    await show(makeRecording(transcript, { diarization: { num_speakers: 0, dialogue_timeline: [] } }))
    expect(screen.getByText('No speech was found in this recording.')).toBeVisible()
  })

  it('is exported with the names of the speakers', async () => {
    const { user } = await show(makeRecording(transcript, { diarization }))
    const downloads = captureDownloads()
    await user.click(screen.getByRole('button', { name: 'Export JSON' }))
    expect(downloads).toMatchObject([{ name: 'call-dialogue.json' }])
    expect(JSON.parse((await downloads[0]?.content.text()) ?? '')).toMatchObject({
      dialogue_timeline: [{ name: 'Left Channel' }, { name: 'Right Channel' }],
    })
  })

  it('is repeated on demand', async () => {
    const { user, sent } = await show(makeRecording(transcript, { diarization }))
    await user.click(screen.getByRole('button', { name: 'Re-analyze' }))
    expect(await sent()).toMatchObject({ force: true })
  })

  it('is hidden and shown', async () => {
    const { user } = await show(makeRecording(transcript, { diarization }))
    const dialogue = () => screen.queryByRole('list', { name: 'Dialogue' })
    expect(dialogue()).toBeVisible()
    const hide = screen.getByRole('button', { name: 'Hide' })
    expect(hide).toHaveAttribute('aria-expanded', 'true')
    await user.click(hide)
    const again = screen.getByRole('button', { name: 'Show' })
    expect(again).toHaveAttribute('aria-expanded', 'false')
    await waitFor(() => expect(dialogue()).toBeNull())
    await user.click(again)
    await waitFor(() => expect(dialogue()).toBeVisible())
  })
})

it('renders of a long dialogue only what is in view, with the place of each line in the whole', async () => {
  const dialogue_timeline = Array.from({ length: 201 }, (_, index) => ({
    speaker: 'Speaker A',
    timestamp: index,
    text: `line ${index}`,
  }))
  await show(makeRecording(transcript, { diarization: { ...diarization, dialogue_timeline } }))
  const dialogue = within(screen.getByRole('list', { name: 'Dialogue' }))
  const [first, ...others] = await dialogue.findAllByRole('listitem')
  expect(first).toHaveTextContent('line 0')
  expect(first).toHaveAttribute('aria-posinset', '1')
  expect(first).toHaveAttribute('aria-setsize', '201')
  expect(others.length).toBeLessThan(100)
})
