import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Model } from '#contract/entities/model.ts'
import { makeModel } from '../../../testing/models.ts'
import { ModelComparison } from './model-comparison.tsx'

const small = makeModel({
  errors: [{ language: 'fa', metric: 'wer', percent: 29.4, corpus: 'FLEURS' }],
  memory_bytes: 850_000_000,
})

function show(models: Model[]) {
  return render(
    <MantineProvider>
      <ModelComparison models={models} />
    </MantineProvider>,
  )
}

it('recommends a model for each language and compares what they take on this host', () => {
  show([{ ...small, work: { cpu_s_per_s: 0.09, is_measured: true, keeps_up: true, has_memory: true } }])
  expect(
    screen.getByText(
      'Persian: Whisper small, word error rate 29.4% (FLEURS), 5.4 min of CPU time for an hour of sound.',
    ),
  ).toBeVisible()
  expect(screen.getByText(/^Pashto: no model that runs here was measured/)).toBeVisible()
  expect(screen.getByRole('row', { name: /^Whisper small/ })).toHaveTextContent('Whisper small5.4 min850 MB29.4%')
  expect(screen.getByTitle('29.4% (FLEURS)')).toBeVisible()
  expect(screen.queryByText(/^Download Whisper base and try it/)).not.toBeInTheDocument()
})

it('says how to learn how fast the host is where no Whisper was tried', () => {
  show([{ ...small, is_installed: false }])
  expect(screen.getByText(/^Download Whisper base and try it/)).toBeVisible()
  expect(screen.getByRole('row', { name: /^Whisper small not installed not known/ })).toBeVisible()
})
