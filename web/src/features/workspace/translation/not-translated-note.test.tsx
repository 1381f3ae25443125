import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { skippedDetail } from '#contract/not-translated.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import { renderAt } from '../../../testing/render.tsx'
import { NotTranslatedNote } from './not-translated-note.tsx'

const translated: TranslatedSegment = { start: 0, end: 1, text: 'سلام', translated_text: 'Hello', error: null }
const refused: TranslatedSegment = {
  start: 2,
  end: 3,
  text: 'سړک بند دی',
  translated_text: '',
  error: 'The translation model declined to translate this text.',
  not_translated: { reason: 'refusal' },
}
const skippedLine: TranslatedSegment = {
  ...refused,
  start: 4,
  end: 5,
  error: 'The model Gemma gave ten completions in a row that are no translations.',
  not_translated: { reason: 'failed', detail: skippedDetail },
}

function translationOf(segments: TranslatedSegment[]): TranslationResult {
  return {
    translated_text: '',
    original_text: '',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [],
    segments,
    model: 'gemma',
    provenance: null,
  }
}

it('shows nothing where every line has a translation', () => {
  renderAt('/transcribe', <NotTranslatedNote translation={translationOf([translated])} onRetry={vi.fn()} />)
  expect(screen.queryByRole('alert')).toBeNull()
})

it('shows how many lines have no translation and retries them', async () => {
  const retry = vi.fn()
  renderAt('/transcribe', <NotTranslatedNote translation={translationOf([translated, refused])} onRetry={retry} />)
  expect(screen.getByText('One line was not translated.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Translate them again' }))
  expect(retry).toHaveBeenCalledExactlyOnceWith()
})

it('shows why the rest was skipped', () => {
  renderAt('/transcribe', <NotTranslatedNote translation={translationOf([refused, skippedLine])} onRetry={undefined} />)
  expect(screen.getByText('2 lines were not translated.')).toBeVisible()
  expect(screen.getByText(/^The model Gemma gave ten completions in a row/u)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
