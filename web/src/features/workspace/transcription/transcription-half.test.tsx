import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelProvenance } from '#contract/provenance.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeTranscript } from '../../../testing/transcripts.ts'

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
