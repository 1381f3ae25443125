import { expect, test } from 'vitest'
import { describeProvenance, type ModelProvenance } from './provenance.ts'
import { formatTranscript } from './transcript-formats.ts'
import type { TranscriptDocument } from './formats/transcript-document.ts'

const whisper: ModelProvenance = {
  model_id: 'whisper-base',
  model_name: 'Whisper base',
  model_hash: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  engine: 'whisper.cpp',
  engine_version: '1.9.3',
  settings: { languages: ['ps'] },
  created_at: '2026-11-22T08:00:00.000Z',
}
const remote: ModelProvenance = {
  ...whisper,
  model_name: 'large --> v3',
  model_hash: null,
  engine: 'http://10.0.0.5:8000',
  engine_version: null,
}

const document: TranscriptDocument = {
  name: 'call.wav',
  transcription: {
    transcription_id: null,
    transcription: 'hello',
    detected_language: 'en',
    language_probability: null,
    num_speakers: 1,
    segments: [{ start: 0, end: 1, text: 'hello' }],
    speaker_transcriptions: [],
    duration: 1,
    model: 'whisper-base',
    provenance: [whisper],
    warnings: [],
  },
  translation: {
    translated_text: 'سلام',
    original_text: 'hello',
    source_language: 'en',
    target_language: 'ps',
    num_speakers: 1,
    speaker_translations: [],
    segments: [{ start: 0, end: 1, text: 'hello', translated_text: 'سلام', error: null }],
    model: 'large',
    provenance: [remote],
  },
}

test.each(['txt', 'dialogue'] as const)(
  'names the models at the end of a text file (%s), below the words',
  (format) => {
    const models = [
      'About this transcript',
      '---------------------',
      'Transcribed by: Whisper base · whisper.cpp 1.9.3 · 60ed5bc3dd14',
      'Translated by: large --> v3 · http://10.0.0.5:8000',
    ]
    expect(formatTranscript(format, document).endsWith(`\n\n\n${models.join('\n')}\n`)).toBe(true)
  },
)

test('names the models in a WebVTT comment, escaped so that none reads as a cue timing', () => {
  expect(formatTranscript('vtt', document)).toMatch(
    /^WEBVTT\n\nNOTE\nTranscribed by: Whisper base · whisper\.cpp 1\.9\.3 · 60ed5bc3dd14\nTranslated by: large --&gt; v3 · [^\n]+\n\n00:00/,
  )
})

test('names the pivot language of a translation', () => {
  const { translation } = document
  const overEnglish = { ...document, translation: translation && { ...translation, via: 'en' } }
  const sentence = 'Translated over English: no model in use knew both languages.'
  expect(formatTranscript('txt', overEnglish)).toContain(sentence)
  expect(formatTranscript('vtt', overEnglish)).toContain(sentence)
  expect(formatTranscript('json', overEnglish)).toContain('"via": "en"')
  expect(formatTranscript('txt', document)).not.toContain('over English')
})

test('includes the complete provenance in JSON', () => {
  expect(JSON.parse(formatTranscript('json', document))).toMatchObject({
    transcription: { provenance: [whisper] },
    translation: { provenance: [remote] },
  })
})

test('writes nothing for a text without stored provenance', () => {
  const { transcription } = document
  const old = { ...document, translation: null, transcription: { ...transcription, provenance: undefined } }
  expect(formatTranscript('txt', old)).not.toContain('Transcribed by')
  expect(formatTranscript('vtt', old)).not.toContain('NOTE')
  expect([undefined, null, []].map(describeProvenance)).toEqual([null, null, null])
})
