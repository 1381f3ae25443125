import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelProvenance } from '#contract/provenance.ts'
import { renderAt } from '../../../testing/render.tsx'
import { ProvenanceDetails } from './provenance-details.tsx'

const whisper: ModelProvenance = {
  model_id: 'whisper-base',
  model_name: 'Whisper base',
  model_hash: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  engine: 'whisper.cpp',
  engine_version: '1.9.3',
  settings: { languages: ['ps'], language_detection: false },
  created_at: '2026-11-22T08:00:00.000Z',
}

it('names the model, its engine and its settings', () => {
  renderAt('/transcribe', <ProvenanceDetails what="Transcript" provenance={[whisper]} />)
  const details = within(screen.getByRole('region', { name: 'Transcript: Whisper base' }))
  expect(details.getByText('Whisper base · whisper.cpp 1.9.3')).toBeVisible()
  expect(details.getByText(String(whisper.model_hash))).toBeVisible()
  expect(details.getByText('whisper-base')).toBeVisible()
  expect(details.getByText(/languages: \["ps"\]/)).toBeVisible()
})

it('shows that the weights of a remote server are unknown', () => {
  const remote = { ...whisper, model_hash: null, engine: 'http://10.0.0.5:8000', engine_version: null }
  renderAt('/transcribe', <ProvenanceDetails what="Translation" provenance={[remote]} />)
  expect(screen.getByText(/^unknown: another machine/)).toBeVisible()
})

it.each([null, undefined])('shows that the model of an old text is unknown: %s', (provenance) => {
  renderAt('/transcribe', <ProvenanceDetails what="Transcript" provenance={provenance} />)
  expect(screen.getByText(/^Transcript: unknown model/)).toBeVisible()
})

it('shows nothing where no model ran', () => {
  renderAt('/transcribe', <ProvenanceDetails what="Transcript" provenance={[]} />)
  expect(screen.queryByText(/Transcript/)).not.toBeInTheDocument()
})
