import { describe, expect, test } from 'vitest'
import { api } from './api.ts'
import type { EndpointSpec } from './endpoint.ts'
import { DiarizationResult } from './entities/job.ts'
import { audioExtensions, defaultMaxUploadBytes, UploadResult } from './entities/recording.ts'
import { checkInput } from './input-errors.ts'
import { keywordCategories, Keywords, maxKeywordLength } from './keywords/keywords.ts'
import { describeLanguage, transcriptionLanguages, translationLanguages } from './languages.ts'
import { Segment, SpeakerTranscription, TranscriptionProgress, TranscriptionResult } from './transcription.ts'
import { SpeakerTranslation, TranslationResult } from './translation.ts'

// Written out from the audio-workflow specification, sections 3, 5, 7 and 9, so that the contract is not compared with itself.

const fileId = '0123456789abcdef01234567'

test.each<[string, string, EndpointSpec, string]>([
  ['POST', '/api/upload', api.audio.upload, 'user'],
  ['GET', '/api/audio/:id', api.audio.play, 'user'],
  ['GET', '/api/languages', api.system.languages, 'public'],
  ['POST', '/api/transcribe', api.audio.transcribe, 'user'],
  ['POST', '/api/translate', api.audio.translate, 'user'],
  ['POST', '/api/translate-speakers', api.audio.translateSpeakers, 'user'],
  ['POST', '/api/speaker-diarization', api.audio.diarize, 'user'],
  ['GET', '/api/auth/keywords', api.keywords.list, 'user'],
  ['POST', '/api/auth/keywords', api.keywords.replace, 'user'],
  ['POST', '/api/auth/keywords/category/:category', api.keywords.add, 'user'],
  ['DELETE', '/api/auth/keywords/:id', api.keywords.remove, 'user'],
  ['DELETE', '/api/auth/keywords/category/:category', api.keywords.clearCategory, 'user'],
])('%s %s is served', (method, path, spec, access) => {
  expect(spec).toMatchObject({ method, path, access })
})

test.each<[string, object, string[]]>([
  ['an upload response', UploadResult.shape, ['file_id', 'duration']],
  [
    'a transcription',
    TranscriptionResult.shape,
    [
      'transcription',
      'detected_language',
      'language_probability',
      'num_speakers',
      'transcription_id',
      'segments',
      'speaker_transcriptions',
    ],
  ],
  ['a segment', Segment.shape, ['start', 'end', 'text']],
  [
    'the transcription of a speaker',
    SpeakerTranscription.shape,
    ['speaker', 'transcription', 'segment_count', 'detected_language', 'language_probability'],
  ],
  [
    'the progress of a transcription',
    TranscriptionProgress.shape,
    [
      'current_segment',
      'total_segments',
      'detected_language',
      'language_probability',
      'latest_segment',
      'partial_text',
    ],
  ],
  [
    'a translation',
    TranslationResult.shape,
    ['translated_text', 'original_text', 'source_language', 'target_language', 'num_speakers', 'speaker_translations'],
  ],
  ['the translation of a speaker', SpeakerTranslation.shape, ['speaker', 'translated_text', 'error']],
  ['a diarization', DiarizationResult.shape, ['num_speakers', 'dialogue_timeline']],
  ['a line of the dialogue', DiarizationResult.shape.dialogue_timeline.element.shape, ['speaker', 'timestamp', 'text']],
  [
    'the response of /api/languages',
    api.system.languages.response.shape,
    ['translation_languages', 'transcription_languages', 'features'],
  ],
  [
    'the figures of the dashboard',
    api.recordings.stats.response.shape,
    ['totalFiles', 'totalDuration', 'languagesProcessed'],
  ],
  ['the keywords', Keywords.shape, ['threats', 'sentiment', 'intent', 'custom']],
])('%s has the fields of the specification', (_, shape, fields) => {
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields))
})

describe('what a request may leave out', () => {
  test('a transcription is in Pashto', () => {
    expect(api.audio.transcribe.body.parse({ file_id: fileId })).toMatchObject({ language: 'ps' })
  })

  test('a translation is from any language into English', () => {
    expect(api.audio.translate.body.parse({ text: 'سلام' })).toMatchObject({
      source_language: 'auto',
      target_language: 'en',
    })
  })

  test('a translation by speaker is into English, and has a context where one is given', () => {
    const transcription_data = { transcription: 'سلام' }
    expect(api.audio.translateSpeakers.body.parse({ transcription_data, context: 'a call' })).toMatchObject({
      transcription_data,
      context: 'a call',
      target_language: 'en',
    })
  })

  test('a diarization has the words', () => {
    expect(api.audio.diarize.body.parse({ file_id: fileId })).toMatchObject({ with_transcription: true })
  })
})

test.each(['transcribe', 'diarize'] as const)('%s without a file asks for one', (name) => {
  expect(checkInput(api.audio[name].body, {}).errors).toEqual([
    { field: 'file_id', message: 'Please upload an audio file first' },
  ])
})

describe('languages', () => {
  test('are transcribed in this order: Pashto, English, Urdu, Persian, Arabic', () => {
    expect(transcriptionLanguages.map((code) => [code, describeLanguage(code).name])).toEqual([
      ['ps', 'Pashto'],
      ['en', 'English'],
      ['ur', 'Urdu'],
      ['fa', 'Persian'],
      ['ar', 'Arabic'],
    ])
  })

  test('are translated, more than 50 of them', () => {
    expect(Object.keys(translationLanguages).length).toBeGreaterThan(50)
  })
})

test('the limits are those of the specification', () => {
  expect(audioExtensions).toEqual(['mp3', 'wav', 'm4a', 'flac', 'ogg', 'mp4', 'webm'])
  expect(defaultMaxUploadBytes).toBe(100 * 1024 * 1024)
  expect(maxKeywordLength).toBe(29)
  expect(keywordCategories).toEqual(['threats', 'sentiment', 'intent', 'custom'])
})
