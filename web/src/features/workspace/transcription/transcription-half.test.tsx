import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelProvenance } from '#contract/provenance.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const segment = { start: 0, end: 1, text: 'salaam', channel: 0 }

const madeBy = (name: string): ModelProvenance => ({
  model_id: name,
  model_name: name,
  model_hash: null,
  engine: 'whisper.cpp',
  engine_version: null,
  settings: {},
  created_at: '2026-11-22T08:00:00.000Z',
})

async function renderHalf(provenance: ModelProvenance[] | undefined) {
  await renderDesk(makeRecording(makeTranscript([segment], { provenance })))
  return screen.getByRole('region', { name: 'Transcription' })
}

it('names the models that made the transcript', async () => {
  expect(await renderHalf([madeBy('Whisper base'), madeBy('Silero')])).toHaveTextContent('Whisper base, Silero')
})

it('says that no model ran where no speech was found', async () => {
  expect(await renderHalf([])).toHaveTextContent('No speech')
})

it('says that the model of an old transcript is unknown', async () => {
  expect(await renderHalf(undefined)).toHaveTextContent('Unknown model')
})

it('says that there is no transcript yet, and offers nothing to do with one', async () => {
  await renderDesk(makeRecording(null))
  expect(screen.getByRole('region', { name: 'Transcription' })).toHaveTextContent('Not yet')
  expect(screen.queryByRole('button', { name: 'Copy transcription' })).not.toBeInTheDocument()
})

it('says of words that a transcription has found so far what becomes of them, and not that there are none yet', async () => {
  const partial = makeSegment('salaam', { start: 5, end: 6 })
  const progress = {
    current_segment: 1,
    total_segments: 2,
    latest_segment: null,
    partial_text: partial.text,
    partial_segments: [partial],
    detected_language: 'ps',
    language_probability: 0.9,
  }
  await renderDesk(makeRecording(null, { job: makeRunningJob(progress) }))
  expect(await screen.findByRole('list', { name: 'Transcript Timeline' })).toHaveTextContent('salaam')
  const half = screen.getByRole('region', { name: 'Transcription' })
  expect(half).toHaveTextContent('Transcribing')
  expect(half).not.toHaveTextContent('Not yet')
  expect(screen.queryByText('The words appear here after transcription')).not.toBeInTheDocument()
})

it('says of a transcription that is queued that it waits', async () => {
  await renderDesk(makeRecording(null, { job: makeRunningJob(null, { state: 'queued', queue_position: 2 }) }))
  expect(screen.getByRole('region', { name: 'Transcription' })).toHaveTextContent('Waiting')
})
