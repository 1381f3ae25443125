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

it('stands in the texts of a template, without the technical data where they are not wanted', () => {
  const transcription = makeTranscript([makeSegment('good morning')])
  const texts = { heading: 'Office 7', introduction: 'Case 12', closing: 'Signed:\n\n{person}' }
  const layout = { texts, person: 'Nadia Karimi', hasFacts: false }
  const document = { name: 'call.wav', transcription, translation: null }
  render(<ReportView report={buildReport(document, { doubt: 'none', find: null, layout })} />)
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Office 7')
  const text = screen.getByRole('main').textContent
  const places = ['Office 7', 'call.wav', 'Case 12', 'good', 'Signed:', 'Nadia Karimi'].map((part) =>
    text.indexOf(part),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(text).not.toContain('About this transcript')
})
