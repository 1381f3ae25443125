import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { TranslationResult } from '#contract/translation.ts'
import { renderAt } from '../../../testing/render.tsx'
import { PivotLanguageNote } from './pivot-language-note.tsx'

const line = { start: 0, end: 1, text: 'سلام', translated_text: 'سلام', error: null }

function show(overrides: Partial<TranslationResult>) {
  const translation: TranslationResult = {
    translated_text: 'سلام',
    original_text: 'سلام',
    source_language: 'ps',
    target_language: 'fa',
    num_speakers: 1,
    speaker_translations: [],
    segments: [],
    model: 'gemma',
    ...overrides,
  }
  renderAt('/transcribe', <PivotLanguageNote translation={translation} />)
}

it.each([
  ['all of it', [{ ...line, via: 'en' }], /^Translated over English, because/],
  ['a text', [], /^Translated over English, because/],
  ['some lines', [{ ...line, via: 'en' }, line], /^Some lines were translated over English, because/],
])('notes that %s was translated over English', (_, segments, sentence) => {
  show({ via: 'en', segments })
  expect(screen.getByText(sentence)).toBeVisible()
})

it('shows nothing for a translation that one model made', () => {
  show({ via: null, segments: [line] })
  expect(screen.queryByText(/over English/)).toBeNull()
})
