import { describe, expect, test } from 'vitest'
import { complaints, id, many } from '../testing/inputs.ts'
import { batches } from './batches.ts'

const selection = { ids: [id] }
const counts = { waiting: 1, running: 1, done: 1, failed: 0, skipped: 0, cancelled: 0 }
const batch = {
  id,
  state: 'running',
  transcribe: { language: 'ps', channel_languages: ['ps', 'en'] },
  target_languages: ['en'],
  redo: false,
  total: 3,
  counts,
  created_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
}

describe('a batch', () => {
  const { body, response } = batches.create

  test('transcribes, or translates what is transcribed', () => {
    const nothing = { selection, transcribe: null, target_languages: [], redo: false }
    expect(body.parse({ selection, transcribe: { language: 'auto' } })).toEqual({
      ...nothing,
      transcribe: { language: 'auto', channel_languages: null },
    })
    expect(body.parse({ selection, target_languages: ['en', 'ur', 'en'], redo: true })).toEqual({
      ...nothing,
      target_languages: ['en', 'ur'],
      redo: true,
    })
    const stereo = { language: 'multi', channel_languages: ['ps', 'en'] }
    expect(batches.preview.body.parse({ selection, transcribe: stereo })).toMatchObject({ transcribe: stereo })
  })

  test.each([
    [{}, 'Choose transcription, a language to translate into, or both'],
    [{ target_languages: ['xx'] }, 'Not a known language code'],
    [{ target_languages: many(11, 'en') }, 'Target languages is too long'],
    [{ transcribe: { language: 'fr' } }, 'Language is not valid'],
    [{ transcribe: { language: 'ps', channel_languages: ['ps'] } }, 'Channel languages is too short'],
  ])('of %j is refused', (choice, sentence) => {
    expect(complaints(body, { selection, ...choice })).toEqual([sentence])
  })

  test('names the field of what is missing', () => {
    expect(body.safeParse({ selection }).error?.issues[0]?.path).toEqual(['transcribe'])
  })

  test('translates into up to ten languages', () => {
    expect(complaints(body, { selection, target_languages: many(10, 'en') })).toEqual([])
  })

  test.each(['running', 'done', 'cancelled'])('%s counts its recordings by state', (state) => {
    expect(response.parse({ ...batch, state })).toEqual({ ...batch, state })
    expect(batches.list.response.parse({ batches: [batch] })).toEqual({ batches: [batch] })
  })

  test('can be looked at before: what is done, and what is skipped for which reason', () => {
    const preview = {
      total: 3,
      checked: 3,
      transcriptions: 1,
      translations: 1,
      skipped: [{ reason: 'It is done already', count: 1 }],
    }
    expect(batches.preview.response.parse(preview)).toEqual(preview)
  })
})

describe('the recordings of a batch', () => {
  const { query, response } = batches.get

  test.each(['waiting', 'running', 'done', 'failed', 'skipped', 'cancelled'])('are listed by state: %s', (state) => {
    expect(query.parse({ state, page: '2' })).toEqual({ page: 2, per_page: 10, state })
    const item = { recording_id: id, name: null, state, reason: null }
    const page = { batch, items: [item], total: 1, page: 1, per_page: 10, pages: 1 }
    expect(response.parse(page)).toEqual(page)
  })

  test('are all listed without one', () => {
    expect(query.parse({})).toEqual({ page: 1, per_page: 10 })
    expect(complaints(query, { state: 'lost' })).toEqual(['State is not valid'])
  })
})
