import { expect, test } from 'vitest'
import { id } from './testing/inputs.ts'
import { TranscriptVersion } from './versions.ts'

test('a version of a transcript says how it was made', () => {
  const version = {
    transcription_id: id,
    is_current: true,
    finished_at: '2026-01-02T03:04:05.000Z',
    request: {
      language: 'ps',
      channel_languages: ['ps', 'en'],
      names: ['Nadia'],
      speaker_count: null,
      split_voices: [true, false],
      model: null,
    },
    model: 'base',
    line_count: 1,
    word_count: 2,
    edited_line_count: 0,
    target_languages: ['en'],
  }
  expect(TranscriptVersion.parse(version)).toEqual(version)
})
