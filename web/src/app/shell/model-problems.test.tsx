import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ModelHealth } from '#contract/entities/model-health.ts'
import { fakeServer } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { ModelProblems } from './model-problems.tsx'

const persian: ModelHealth = {
  id: 'persian',
  name: 'Persian',
  kind: 'speech',
  languages: ['fa'],
  pairs: [],
  problem: 'The model Persian is not installed.',
}

const noFeatures = {
  speech: null,
  translation: null,
  transcription: [],
  translation_sources: [],
  translation_targets: [],
  diarization: false,
  language_detection: false,
}

function show(models: ModelHealth[], canManage = false) {
  const features = { ...noFeatures, models }
  const calls = fakeServer({
    'GET /api/languages': () => ({
      body: { translation_languages: {}, transcription_languages: {}, transcription_models: [], features },
    }),
  })
  renderAt('/dashboard', <ModelProblems canManage={canManage} />)
  return calls
}

it('names the languages that are away and what is wrong with their models', async () => {
  show([
    { ...persian, id: 'general', languages: ['ps', 'en'], problem: null },
    persian,
    { ...persian, kind: 'translation', id: 'dari', languages: ['fa', 'en'], pairs: ['fa-en'], problem: 'Damaged.' },
  ])
  expect(await screen.findByRole('status')).toBeVisible()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'No transcription of Persian: The model Persian is not installed.',
    'No translation from Persian to English: Damaged.',
  ])
  expect(screen.queryByRole('link')).not.toBeInTheDocument()
})

it('leads those who may mend it to the models', async () => {
  show([persian], true)
  expect(await screen.findByRole('link', { name: 'Models' })).toHaveAttribute('href', '/admin/system/models')
})

it('shows nothing while every model can be used', async () => {
  const calls = show([{ ...persian, problem: null }])
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
})
