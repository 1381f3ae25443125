import { expect, test } from 'vitest'
import { complaints, id, textOf } from '../testing/inputs.ts'
import { search } from './search.ts'

const { query, response } = search.find
const moment = '2026-01-02T03:04:05Z'

test('a search is of all calls, the newest first, with names as they are spelled', () => {
  expect(query.parse({ q: ' border ' })).toEqual({ q: 'border', sort: 'newest', spelling: 'exact' })
})

test('a search is restricted to lines and calls', () => {
  const full = {
    q: textOf(200),
    sort: 'best',
    spelling: 'any',
    speaker: textOf(100),
    language: 'eng',
    category: 'threats',
    from: moment,
    to: moment,
    recording: id,
    cursor: textOf(200),
  }
  expect(query.parse({ ...full, speaker: ` ${textOf(100)} ` })).toEqual(full)
})

test.each([
  [{ q: ' ' }, 'Please enter a word'],
  [{ q: textOf(201) }, 'Q is too long'],
  [{ sort: 'oldest' }, 'Sort is not valid'],
  [{ spelling: 'all' }, 'Spelling is not valid'],
  [{ speaker: ' ' }, 'Speaker is too short'],
  [{ speaker: textOf(101) }, 'Speaker is too long'],
  [{ language: 'p' }, 'Language is not valid'],
  [{ category: 'other' }, 'Category is not valid'],
  [{ recording: '1' }, 'Not a valid id'],
  [{ cursor: textOf(201) }, 'Cursor is too long'],
])('%j is refused', (change, sentence) => {
  expect(complaints(query, { q: 'a', ...change })).toEqual([sentence])
})

test.each(['line', 'translation', 'note', 'name', 'speaker'])('a call is found with its lines: %s', (kind) => {
  const line = {
    kind,
    start: 1,
    end: 2,
    speaker: null,
    language: 'ps',
    text: 'At the border',
    marks: [[7, 13]],
    spelled: [],
    before: null,
    after: 'Yes',
  }
  const call = {
    recording: { id, name: 'call.wav', created_at: moment, duration: 60, language: null },
    is_in_one_line: true,
    total: 1,
    lines: [line],
  }
  const page = { calls: [call], total_calls: 1, cursor: null, suggestion: null, also_spelled: [] }
  expect(response.parse(page)).toEqual(page)
})
