import { expect, test } from 'vitest'
import { ReportTemplateInput } from '../report-templates.ts'
import { formatTranscript } from '../transcript-formats.ts'
import { renderReportTexts, type ReportLayout } from './report-template-texts.ts'
import { buildReport } from './report.ts'
import type { TranscriptDocument } from './transcript-document.ts'

const provenance = {
  model_id: 'base',
  model_name: 'Whisper base',
  model_hash: null,
  engine: 'whisper.cpp',
  engine_version: null,
  settings: {},
  created_at: '2026-01-02T03:04:05.000Z',
}
const document: TranscriptDocument = {
  name: '12_پشاور.mp3',
  exported_at: '2026-02-03T04:05:06.000Z',
  transcription: {
    transcription_id: null,
    transcription: 'hello',
    detected_language: 'en',
    language_probability: 0.9,
    num_speakers: 1,
    segments: [{ start: 0, end: 1, text: 'hello' }],
    speaker_transcriptions: [],
    duration: 1,
    model: 'demo',
    warnings: [],
    provenance: [provenance],
  },
  translation: null,
}
const texts = { heading: 'Office 7', introduction: 'Case 12\n\nTo: court', closing: 'Signed: {person}' }
const layout = (part: Partial<ReportLayout> = {}): ReportLayout => ({
  texts,
  person: 'Nadia Karimi',
  hasFacts: true,
  ...part,
})
const fill = (heading: string, person = 'Nadia Karimi') =>
  renderReportTexts(layout({ texts: { heading, introduction: '', closing: '' }, person }), document).heading

test('placeholders stand for the recording, the moment of the export and the person; other braces stay', () => {
  expect(fill('{recording}, {date}, {person} {else}')).toEqual([
    '\u206812_\u2068پشاور\u2069.mp3\u2069, 2026-02-03 04:05 UTC, Nadia Karimi {else}',
  ])
})

test('a name with a placeholder in it is not filled in again', () => {
  expect(fill('{person}', '{date}')).toEqual(['{date}'])
})

test.each(['txt', 'dialogue'] as const)(
  '%s begins with the heading and ends with the closing text and the facts',
  (format) => {
    const text = formatTranscript(format, document, 'none', layout())
    expect(text).toMatch(/^Office 7\n========\n\n\nCase 12\n\nTo: court\n\n\n\u2068?12_/)
    const places = ['Duration', 'hello', 'Signed: Nadia Karimi', 'About this transcript'].map((part) =>
      text.indexOf(part),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  },
)

test.each(['txt', 'dialogue'] as const)('%s leaves out the facts where they are not wanted', (format) => {
  const text = formatTranscript(format, document, 'none', layout({ texts: null, hasFacts: false }))
  expect(text).toContain('hello')
  expect(text).not.toContain('About this transcript')
  expect(text).toMatch(/^\u2068?12_/)
})

test.each(['srt', 'vtt', 'json'] as const)('%s has no room for texts around it', (format) => {
  const text = formatTranscript(format, document, 'none', layout())
  expect(text).toBe(formatTranscript(format, document))
})

test('lines of right-to-left letters run from the right in text files', () => {
  const written = { heading: 'گزارش', introduction: '', closing: '' }
  expect(formatTranscript('txt', document, 'none', layout({ texts: written }))).toMatch(
    /^\u200F\u2067گزارش\u2069\n=====\n/,
  )
})

test('a report has the heading, and the name of the recording below it where the heading lacks it', () => {
  const report = buildReport(document, { doubt: 'none', find: null, layout: layout() })
  expect(report.title).toBe('12_پشاور.mp3')
  expect(report.templateTexts.heading?.pieces).toEqual([{ text: 'Office 7' }])
  expect(report.templateTexts.hasName).toBe(true)
  expect(report.templateTexts.introduction).toHaveLength(3)
  const named = { ...texts, heading: 'Call {recording}' }
  expect(
    buildReport(document, { doubt: 'none', find: null, layout: layout({ texts: named }) }).templateTexts.hasName,
  ).toBe(false)
})

test('a report without a template has no texts of one, and no facts where they are not wanted', () => {
  const options = { doubt: 'none', find: null } as const
  expect(buildReport(document, options).templateTexts).toEqual({
    heading: null,
    hasName: false,
    introduction: [],
    closing: [],
  })
  expect(buildReport(document, options).facts).not.toEqual([])
  expect(buildReport(document, { ...options, layout: layout({ hasFacts: false }) }).facts).toEqual([])
})

test('a template keeps blank lines between others, and its heading is one line', () => {
  const parsed = ReportTemplateInput.parse({ name: ' Court ', introduction: ' a\r\n\r\nb\t ' })
  expect([parsed.name, parsed.introduction]).toEqual(['Court', 'a\n\nb'])
  expect(ReportTemplateInput.safeParse({ name: 'Court', heading: 'a\nb' }).success).toBe(false)
})
