import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { batches } from './batches.ts'
import { library } from './library.ts'

const noFilter = { search: '', states: [], languages: [], categories: [], tags: [] }
const moment = '2026-01-02T03:04:05Z'

describe('the library', () => {
  const { query } = library.list

  test('has all recordings, fifty per page, the newest first', () => {
    expect(query.parse({})).toEqual({ ...noFilter, sort: 'created', order: 'desc', page: 1, per_page: 50 })
  })

  test('is narrowed by lists with commas, times and durations', () => {
    const narrowed = { from: moment, to: moment, case: id, sort: 'hits', order: 'asc' }
    const lists = {
      states: 'running,waiting,failed,new,done',
      languages: 'ps,eng',
      categories: 'threats,custom',
      tags: 'a b, c,',
    }
    expect(
      query.parse({ ...lists, ...narrowed, min_duration: '0', max_duration: '10000000', per_page: '200' }),
    ).toEqual({
      search: '',
      states: ['running', 'waiting', 'failed', 'new', 'done'],
      languages: ['ps', 'eng'],
      categories: ['threats', 'custom'],
      tags: ['a b', 'c'],
      ...narrowed,
      min_duration: 0,
      max_duration: 10_000_000,
      page: 1,
      per_page: 200,
    })
    expect(query.parse({ states: ['new'], tags: [] })).toMatchObject({ states: ['new'], tags: [] })
  })

  test.each(['created', 'name', 'duration', 'state', 'hits'])('is sorted by %s', (sort) => {
    expect(query.parse({ sort })).toMatchObject({ sort, order: 'desc' })
  })

  test.each([
    [{ search: textOf(201) }, 'Search is too long'],
    [{ states: 'old' }, 'States is not valid'],
    [{ states: many(6, 'new') }, 'States is too long'],
    [{ languages: 'p' }, 'Languages is not valid'],
    [{ languages: many(101, 'ps') }, 'Languages is too long'],
    [{ categories: 'other' }, 'Categories is not valid'],
    [{ categories: many(5, 'threats') }, 'Categories is too long'],
    [{ tags: many(21, 'a') }, 'Tags is too long'],
    [{ case: '1' }, 'Not a valid id'],
    [{ from: 'today' }, 'From is not valid'],
    [{ min_duration: '-1' }, 'Min duration is too small'],
    [{ max_duration: '10000001' }, 'Max duration is too large'],
    [{ per_page: '0' }, 'Per page is too small'],
    [{ per_page: '201' }, 'Per page is too large'],
    [{ sort: 'size' }, 'Sort is not valid'],
    [{ order: 'up' }, 'Order is not valid'],
  ])('refuses %j', (choice, sentence) => {
    expect(complaints(query, choice)).toEqual([sentence])
  })

  test('says how many recordings each choice has', () => {
    const facets = {
      total: 2,
      states: [{ state: 'done', count: 2 }],
      languages: [{ language: 'ps', count: 1 }],
      tags: [{ tag: 'a', count: 1 }],
      categories: [{ category: 'threats', count: 1 }],
    }
    expect(library.facets.response.parse(facets)).toEqual(facets)
    expect(library.facets.response.safeParse({ ...facets, tags: [{ tag: 'a', count: 0 }] }).success).toBe(false)
  })
})

describe('a selection', () => {
  const { body, response } = library.remove

  test.each([{ ids: [id] }, { ids: many(10_000, id) }])('of ids has up to 10,000: %#', (selection) => {
    expect(body.parse({ selection })).toEqual({ selection })
  })

  test('of a filter may leave some out', () => {
    expect(body.parse({ selection: { filter: {} } })).toEqual({ selection: { filter: noFilter, except: [] } })
    const selection = { filter: noFilter, except: many(10_000, id) }
    expect(body.parse({ selection })).toEqual({ selection })
    const tooMany = { filter: noFilter, except: many(10_001, id) }
    expect(body.safeParse({ selection: tooMany }).success).toBe(false)
  })

  test.each([
    [{ ids: [] }, 'Ids is too short'],
    [{ ids: many(10_001, id) }, 'Ids is too long'],
    [{ filter: { search: textOf(201) } }, 'Search is too long'],
  ])('is refused: %#', (selection, sentence) => {
    expect(complaints(body, { selection })).toEqual([sentence])
  })

  test('is deleted, and can be restored for a while', () => {
    const removed = { removed: 1, ids: [id], restorable_until: moment }
    expect(response.parse(removed)).toEqual(removed)
    expect(library.restore.body.parse({ ids: [id] })).toEqual({ ids: [id] })
    expect(complaints(library.restore.body, { ids: [] })).toEqual(['Ids is too short'])
    expect(complaints(library.restore.body, { ids: many(10_001, id) })).toEqual(['Ids is too long'])
    expect(library.restore.response.parse({ restored: 1 })).toEqual({ restored: 1 })
  })

  test.each([{ ids: [id] }, { removed_by: moment }])('is deleted from the trash for good: %j', (chosen) => {
    expect(library.emptyTrash.body.parse(chosen)).toEqual(chosen)
  })

  test.each([{}, { ids: [] }, { ids: many(10_001, id) }, { removed_by: 'today' }])(
    'what is deleted for good has to be said: %#',
    (chosen) => {
      expect(library.emptyTrash.body.safeParse(chosen).success).toBe(false)
    },
  )
})

describe('tags', () => {
  const { body, response } = library.tag
  const selection = { ids: [id] }

  test('are one line without spaces around them', () => {
    expect(body.parse({ selection, add: [' case \n 12 '] })).toEqual({ selection, add: ['case 12'], remove: [] })
    expect(body.parse({ selection, remove: [textOf(40)] })).toEqual({ selection, add: [], remove: [textOf(40)] })
    expect(complaints(body, { selection, add: many(20, 'a'), remove: many(20, 'b') })).toEqual([])
    expect(response.parse({ changed: 1 })).toEqual({ changed: 1 })
  })

  test.each([
    [{ add: [' '] }, 'Please enter a tag'],
    [{ add: [textOf(41)] }, 'A tag must be at most 40 characters'],
    [{ remove: ['a,b'] }, 'A tag must not contain a comma'],
    [{ add: many(21, 'a') }, 'Add is too long'],
    [{ remove: many(21, 'a') }, 'Remove is too long'],
  ])('are refused: %j', (change, sentence) => {
    expect(complaints(body, { selection, ...change })).toEqual([sentence])
  })
})

describe('a saved filter', () => {
  const { body, response } = library.saveFilter

  test('has a name and an order', () => {
    const order = { sort: 'created', order: 'desc' }
    expect(body.parse({ name: ' Mine ', filter: {} })).toEqual({ name: 'Mine', filter: noFilter, ...order })
    const saved = { id, name: 'Mine', filter: noFilter, sort: 'name', order: 'asc' }
    expect(response.parse(saved)).toEqual(saved)
    expect(library.listFilters.response.parse({ filters: [saved] })).toEqual({ filters: [saved] })
  })

  test.each([
    [' ', ['Please enter a name']],
    [textOf(80), []],
    [textOf(81), ['A name must be at most 80 characters']],
  ])('with the name %j', (name, sentences) => {
    expect(complaints(body, { name, filter: {} })).toEqual(sentences)
  })
})

describe('an archive of transcripts', () => {
  const { body } = batches.export
  const selection = { ids: [id] }

  test('has every format and language once', () => {
    expect(body.parse({ selection, formats: ['txt', 'docx', 'txt'], target_languages: ['en', 'ur', 'en'] })).toEqual({
      selection,
      formats: ['txt', 'docx'],
      target_languages: ['en', 'ur'],
    })
    expect(body.parse({ selection, formats: ['json'] })).toMatchObject({ target_languages: [] })
  })

  test.each([
    [{ formats: [] }, 'Choose a format'],
    [{ formats: ['pdf'] }, 'Formats is not valid'],
    [{ target_languages: ['xx'] }, 'Not a known language code'],
    [{ target_languages: many(11, 'en') }, 'Target languages is too long'],
  ])('is refused: %j', (choice, sentence) => {
    expect(complaints(body, { selection, formats: ['txt'], ...choice })).toEqual([sentence])
  })
})
