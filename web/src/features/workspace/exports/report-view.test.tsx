import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { buildReport } from '#contract/formats/report.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { ReportView } from './report-view.tsx'

it('begins with the words; what made them and its settings stand at the end', () => {
  const made = {
    model_id: 'large',
    model_name: 'Whisper large',
    model_hash: 'ab'.repeat(32),
    engine: 'whisper.cpp',
    engine_version: '1.8',
    settings: { beam_size: 5 },
    created_at: '2026-11-22T08:00:00.000Z',
  }
  const transcription = makeTranscript([makeSegment('good morning')], { provenance: [made] })
  const report = buildReport({ name: 'call.wav', transcription, translation: null }, { doubt: 'none', find: null })
  render(<ReportView report={report} />)
  const text = screen.getByRole('main').textContent
  const places = ['call.wav', 'good', 'About this transcript', 'Whisper large'].map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
