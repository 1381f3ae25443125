import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { audio } from './audio.ts'

const transcribe = audio.transcribe.body
const translate = audio.translate.body
const translateSpeakers = audio.translateSpeakers.body
const diarize = audio.diarize.body

const noTranscript = 'Please transcribe audio first'

describe('a transcription', () => {
  test('is in Pashto, without names, and joins one that runs', () => {
    expect(transcribe.parse({ file_id: id })).toEqual({
      file_id: id,
      language: 'ps',
      names: [],
      split_voices: [],
      force: false,
    })
  })

  test('takes a language for each channel, up to eight speakers, a model and a new start', () => {
    const full = {
      file_id: id,
      language: 'auto',
      channel_languages: ['ps', 'multi'],
      names: ['Nadia'],
      speaker_count: 8,
      split_voices: [true, false],
      model: textOf(200),
      force: true,
    }
    expect(transcribe.parse(full)).toEqual(full)
    expect(transcribe.parse({ file_id: id, model: null, speaker_count: 1 })).toMatchObject({ model: null })
  })

  test.each([
    [{}, 'Please upload an audio file first'],
    [{ file_id: '1' }, 'Not a valid id'],
    [{ file_id: id, language: 'fr' }, 'Language is not valid'],
    [{ file_id: id, channel_languages: [] }, 'Channel languages is too short'],
    [{ file_id: id, channel_languages: ['ps', 'en', 'ur'] }, 'Channel languages is too long'],
    [{ file_id: id, speaker_count: 0 }, 'Speaker count is too small'],
    [{ file_id: id, speaker_count: 9 }, 'Speaker count is too large'],
    [{ file_id: id, split_voices: [true, true, true] }, 'Split voices is too long'],
    [{ file_id: id, model: '' }, 'Model is too short'],
    [{ file_id: id, model: textOf(201) }, 'Model is too long'],
  ])('of %o is refused', (body, sentence) => {
    expect(complaints(transcribe, body)).toEqual([sentence])
  })
})

describe('a translation', () => {
  const whole = { target_language: 'en', source_language: 'auto', force: false }

  test('is of a text or of a transcription', () => {
    expect(translate.parse({ text: 'سلام' })).toEqual({ ...whole, text: 'سلام' })
    expect(translate.parse({ text: 'سلام', source_language: 'auto' })).toEqual({ ...whole, text: 'سلام' })
    expect(translate.parse({ transcription_id: id, recording_id: id, force: true })).toEqual({
      ...whole,
      transcription_id: id,
      recording_id: id,
      force: true,
    })
    expect(translate.parse({ text: 'a', source_language: 'ps', target_language: 'ur' })).toMatchObject({
      source_language: 'ps',
      target_language: 'ur',
    })
  })

  test.each([
    [{}, noTranscript],
    [{ transcription_id: null }, noTranscript],
    [{ text: '' }, noTranscript],
    [{ text: textOf(1_000_001) }, 'Text is too long'],
    [{ text: 'a', target_language: 'eng' }, 'Not a language code'],
    [{ text: 'a', target_language: 'EN' }, 'Not a language code'],
    [{ text: 'a', source_language: 'any' }, 'Not a language code'],
  ])('of %o is refused', (body, sentence) => {
    expect(complaints(translate, body)).toEqual([sentence])
  })

  test('has up to a million characters', () => {
    expect(complaints(translate, { text: textOf(1_000_000) })).toEqual([])
  })
})

describe('a translation by speaker', () => {
  const segment = { start: 0, end: 2, text: 'سلام', language: 'ps', speaker: textOf(200) }
  const speaker = { speaker: textOf(200), transcription: 'سلام', detected_language: 'ps', segments: [] }
  const data = {
    transcription_id: id,
    transcription: 'سلام',
    detected_language: 'ps',
    segments: [segment],
    speaker_transcriptions: [speaker],
  }
  const of = (change: object) => ({ transcription_data: { ...data, ...change } })

  test('is into English, of all that the transcription says', () => {
    expect(translateSpeakers.parse(of({}))).toEqual({ transcription_data: data, target_language: 'en', force: false })
  })

  test.each([
    [of({ segments: [{ ...segment, start: 3 }] }), 'A segment must not end before it begins'],
    [
      of({ segments: [{ ...segment, start: -1 }] }),
      'The times of segments are seconds from the start and never negative',
    ],
    [of({ segments: [{ ...segment, end: 1_000_001 }] }), 'The times of segments are at most 1000000 seconds'],
    [of({ segments: [{ ...segment, language: 'xx' }] }), 'Not a known language code'],
    [of({ segments: [{ ...segment, speaker: textOf(201) }] }), 'Speaker is too long'],
    [of({ detected_language: 'xx' }), 'Not a known language code'],
    [of({ transcription_id: '1' }), 'Not a valid id'],
    [of({ speaker_transcriptions: many(17, speaker) }), 'Speaker transcriptions is too long'],
    [of({ speaker_transcriptions: [{ ...speaker, speaker: textOf(201) }] }), 'Speaker is too long'],
    [
      of({ speaker_transcriptions: [{ ...speaker, segments: [{ ...segment, end: -1 }] }] }),
      'A segment must not end before it begins',
    ],
    [{ ...of({}), context: textOf(10_001) }, 'Context is too long'],
    [{ ...of({}), retry: 'all' }, 'Retry is not valid'],
    [{}, 'Transcription data is required'],
  ])('is refused: %#', (body, sentence) => {
    expect(complaints(translateSpeakers, body)).toContain(sentence)
  })

  test.each([
    of({ segments: [{ ...segment, start: 2, end: 2 }] }),
    of({ segments: [{ ...segment, end: 1_000_000 }] }),
    of({ speaker_transcriptions: many(16, speaker) }),
    of({ transcription_id: null, detected_language: null }),
    { ...of({}), context: textOf(10_000) },
    { ...of({}), retry: 'failed' },
    { ...of({}), retry: { start: 1, end: 2 } },
  ])('is accepted: %#', (body) => {
    expect(translateSpeakers.parse(body)).toEqual({ target_language: 'en', force: false, ...body })
  })
})

describe('a diarization', () => {
  test('has the words, in the languages of the transcription', () => {
    expect(diarize.parse({ file_id: id })).toEqual({ file_id: id, with_transcription: true, force: false })
  })

  test('takes languages, speakers and channels to split', () => {
    const full = {
      file_id: id,
      with_transcription: false,
      language: 'ur',
      channel_languages: ['auto'],
      speaker_count: 2,
      split_voices: [false],
      force: true,
    }
    expect(diarize.parse(full)).toEqual(full)
  })

  test.each([
    [{ speaker_count: 9 }, 'Speaker count is too large'],
    [{ channel_languages: [] }, 'Channel languages is too short'],
    [{ split_voices: [true, true, true] }, 'Split voices is too long'],
  ])('with %o is refused', (choice, sentence) => {
    expect(complaints(diarize, { file_id: id, ...choice })).toEqual([sentence])
  })
})
