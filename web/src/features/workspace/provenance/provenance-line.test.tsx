import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelProvenance } from '#contract/provenance.ts'
import { renderAt } from '../../../testing/render.tsx'
import { ProvenanceLine } from './provenance-line.tsx'

const whisper: ModelProvenance = {
  model_id: 'whisper-base',
  model_name: 'Whisper base',
  model_hash: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  engine: 'whisper.cpp',
  engine_version: '1.9.3',
  settings: { languages: ['ps'], language_detection: false },
  created_at: '2026-11-22T08:00:00.000Z',
}

it('names the model and its engine, and shows the rest on click', async () => {
  const { user } = renderAt('/transcribe', <ProvenanceLine what="Transcript" provenance={[whisper]} />)
  await user.click(screen.getByRole('button', { name: 'Whisper base · whisper.cpp 1.9.3' }))
  const details = within(await screen.findByRole('region', { name: 'Whisper base' }))
  expect(details.getByText(String(whisper.model_hash))).toBeInTheDocument()
  expect(details.getByText('whisper-base')).toBeInTheDocument()
  expect(details.getByText(/languages: \["ps"\]/)).toBeInTheDocument()
})

it('shows that the weights of a remote server are unknown', async () => {
  const remote = { ...whisper, model_hash: null, engine: 'http://10.0.0.5:8000', engine_version: null }
  const { user } = renderAt('/transcribe', <ProvenanceLine what="Translation" provenance={[remote]} />)
  await user.click(screen.getByRole('button', { name: 'Whisper base · http://10.0.0.5:8000' }))
  expect(await screen.findByText(/^unknown: another machine/)).toBeInTheDocument()
})

it.each([null, undefined])('shows that the model of an old text is unknown: %s', (provenance) => {
  renderAt('/transcribe', <ProvenanceLine what="Transcript" provenance={provenance} />)
  expect(screen.getByText('Transcript: unknown model')).toBeVisible()
})

it('shows nothing where no model ran', () => {
  renderAt('/transcribe', <ProvenanceLine what="Transcript" provenance={[]} />)
  expect(screen.queryByText(/Transcript/)).not.toBeInTheDocument()
})
