import { expect, test } from 'vitest'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { countsOfFinishedJob } from './work-counts.ts'

const line = { start: 0, end: 1, text: 'text' }

test('a transcription counts its sound, the work, and lines by certainty', () => {
  const segments = [
    { ...line, confidence: 0.9 },
    { ...line, confidence: 0.2 },
    { ...line, confidence: 0.95 },
  ]
  const result = makeTranscription({ segments, duration: 90, model: 'whisper' })
  const counts = countsOfFinishedJob({
    kind: 'transcribe',
    outcome: { result, languages: ['ps', 'en'] },
    workMs: 45_500,
  })
  const labels = { model: 'whisper', language: 'ps' }
  expect(counts).toEqual([
    { name: 'finished_jobs', labels: { kind: 'transcribe' }, by: 1 },
    { name: 'transcribed_seconds', labels, by: 90 },
    { name: 'transcription_work_seconds', labels, by: 45.5 },
    { name: 'transcribed_lines', labels: { certainty: 'certain' }, by: 2 },
    { name: 'transcribed_lines', labels: { certainty: 'uncertain' }, by: 1 },
  ])
})

test('a recording without speech has no language', () => {
  const result = makeTranscription({ segments: [], model: 'whisper' })
  const counts = countsOfFinishedJob({ kind: 'transcribe', outcome: { result, languages: [] }, workMs: 1 })
  expect(counts[1]?.labels).toEqual({ model: 'whisper', language: 'none' })
})

test('a translation by speakers counts the lines of all of them', () => {
  const done = { ...line, translated_text: 'text', error: null }
  const failed = { ...line, translated_text: '', error: 'No.' }
  const speaker_translations = [
    { speaker: 'Speaker A', translated_text: '', error: null, segments: [done, failed] },
    { speaker: 'Speaker B', translated_text: '', error: null, segments: [done] },
  ]
  const result = makeTranslation({ speaker_translations, segments: [], model: 'small' })
  expect(countsOfFinishedJob({ kind: 'translate', outcome: { result, languages: ['en'] }, workMs: 2000 })).toEqual([
    { name: 'finished_jobs', labels: { kind: 'translate' }, by: 1 },
    { name: 'translation_work_seconds', labels: { model: 'small' }, by: 2 },
    { name: 'translated_lines', labels: { outcome: 'translated' }, by: 2 },
    { name: 'translated_lines', labels: { outcome: 'not_translated' }, by: 1 },
  ])
})
