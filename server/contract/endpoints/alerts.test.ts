import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { alerts } from './alerts.ts'

const moment = '2026-01-02T03:04:05.000Z'
const input = {
  name: 'Border',
  categories: ['threats'],
  words: ['border'],
  texts: 'both',
  threshold: 1,
  tags: [],
  is_on: true,
}
const watchList = {
  id,
  ...input,
  created_at: moment,
  unread: 2,
  scan: { state: 'running', done: 1, total: 9, raised: 3 },
}

describe('the inbox of alerts', () => {
  const { query, response } = alerts.list

  test('has new ones, fifty at a time', () => {
    expect(query.parse({})).toEqual({ state: 'new', limit: 50 })
    const narrowed = { watch_list: id, recording: id, category: 'own', state: 'gone', cursor: id }
    expect(query.parse({ ...narrowed, limit: '200' })).toEqual({ ...narrowed, limit: 200 })
    expect(query.parse({ limit: '1' })).toMatchObject({ limit: 1 })
  })

  test.each([
    [{ limit: '0' }, 'Limit is too small'],
    [{ limit: '201' }, 'Limit is too large'],
    [{ state: 'old' }, 'State is not valid'],
    [{ category: 'other' }, 'Category is not valid'],
    [{ cursor: '1' }, 'Not a valid id'],
  ])('refuses %o', (choice, sentence) => {
    expect(complaints(query, choice)).toEqual([sentence])
  })

  test('shows each with its sentence and where the word is in it', () => {
    const alert = {
      id,
      watch_list: { id, name: 'Border' },
      recording: { id, name: 'call.wav', is_capped: false },
      time: 3.5,
      speaker: null,
      language: 'ps',
      word: 'border',
      category: null,
      is_similar: false,
      is_translation: true,
      sentence: 'At the border',
      mark: [7, 13],
      state: 'new',
      is_gone: false,
      created_at: moment,
    }
    const page = { alerts: [alert], total: 1, cursor: null }
    expect(response.parse(page)).toEqual(page)
    expect(alerts.count.response.parse({ unread: 1 })).toEqual({ unread: 1 })
  })
})

describe('a change of states', () => {
  const { body, response } = alerts.setState
  const filter = { state: 'new' }

  test.each([{ ids: [id] }, { ids: many(1000, id) }, { filter }])(
    'takes up to 1,000 ids, or a filter: %#',
    (selection) => {
      expect(body.parse({ selection, state: 'reviewed' })).toEqual({ selection, state: 'reviewed' })
    },
  )

  test.each([
    [{ selection: { ids: [] }, state: 'new' }, 'Ids is too short'],
    [{ selection: { ids: many(1001, id) }, state: 'new' }, 'Ids is too long'],
    [{ selection: { filter }, state: 'gone' }, 'State is not valid'],
  ])('is refused: %#', (change, sentence) => {
    expect(complaints(body, change)).toContain(sentence)
  })

  test('takes ids or a filter, never both', () => {
    expect(body.safeParse({ selection: { ids: [id], filter }, state: 'new' }).success).toBe(false)
  })

  test('can be undone by its id', () => {
    expect(response.parse({ changed: 1, change_id: id })).toEqual({ changed: 1, change_id: id })
    expect(alerts.undo.body.parse({ change_id: id })).toEqual({ change_id: id })
    expect(alerts.undo.response.parse({ changed: 1 })).toEqual({ changed: 1 })
  })
})

describe('a watch list', () => {
  const { body, response } = alerts.addWatchList

  test('watches both texts of all recordings, and each hit', () => {
    expect(body.parse({ name: ' Border ', words: [' BORDER '] })).toEqual({ ...input, categories: [] })
  })

  test.each([
    { ...input, name: textOf(60), threshold: 1000, texts: 'translation' },
    { ...input, words: many(200, 'a'), tags: many(20, 'a') },
    { ...input, words: [], is_on: false, texts: 'original' },
  ])('is accepted: %#', (list) => {
    expect(body.parse(list)).toEqual(list)
    expect(alerts.changeWatchList.body.parse(list)).toEqual(list)
  })

  test.each([
    [{ name: ' ' }, 'Please enter a name'],
    [{ name: textOf(61) }, 'A name has at most 60 characters'],
    [{ categories: [], words: [] }, 'Choose a category or add a word'],
    [{ categories: many(5, 'threats') }, 'Categories is too long'],
    [{ words: many(201, 'a') }, 'A watch list has at most 200 words'],
    [{ words: [textOf(30)] }, 'A keyword must be shorter than 30 characters'],
    [{ texts: 'none' }, 'Texts is not valid'],
    [{ threshold: 0 }, 'The threshold is at least 1'],
    [{ threshold: 1001 }, 'The threshold is at most 1,000'],
    [{ tags: many(21, 'a') }, 'A watch list has at most 20 tags'],
  ])('with %j is refused', (change, sentence) => {
    expect(complaints(body, { ...input, ...change })).toEqual([sentence])
  })

  test.each(['running', 'done', 'cancelled'])('shows how far its scan is: %s', (state) => {
    const list = { ...watchList, scan: { ...watchList.scan, state } }
    expect(response.parse(list)).toEqual(list)
    expect(alerts.listWatchLists.response.parse({ watch_lists: [list] })).toEqual({ watch_lists: [list] })
  })
})

describe('mails about alerts', () => {
  const choice = { mode: 'daily', hour: 23, time_zone: 'Asia/Kabul', with_content: true }

  test.each(['off', 'immediately', 'hourly', 'daily'])('come %s', (mode) => {
    expect(alerts.changeDigest.body.parse({ ...choice, mode, hour: 0 })).toEqual({ ...choice, mode, hour: 0 })
  })

  test.each([
    [{ hour: -1 }, 'Hour is too small'],
    [{ hour: 24 }, 'Hour is too large'],
    [{ time_zone: 'Asia/Nowhere' }, 'Not a known time zone'],
    [{ mode: 'weekly' }, 'Mode is not valid'],
  ])('with %o are refused', (change, sentence) => {
    expect(complaints(alerts.changeDigest.body, { ...choice, ...change })).toEqual([sentence])
  })

  test('say whether they can be sent', () => {
    const digest = { ...choice, can_send: false }
    expect(alerts.getDigest.response.parse(digest)).toEqual(digest)
    expect(alerts.changeDigest.response.parse(digest)).toEqual(digest)
  })
})
