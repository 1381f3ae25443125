import { describe, expect, test } from 'vitest'
import { complaints, textOf } from '../testing/inputs.ts'
import { recordings } from './recordings.ts'

test('recordings are listed ten per page, and searched by name', () => {
  const { query } = recordings.list
  expect(query.parse({})).toEqual({ page: 1, per_page: 10, search: '' })
  expect(query.parse({ search: ` ${textOf(200)} ` })).toMatchObject({ search: textOf(200) })
  expect(complaints(query, { search: textOf(201) })).toEqual(['Search is too long'])
})

test('a recording has a name of up to 255 characters', () => {
  const { body } = recordings.update
  expect(body.parse({ name: ` ${textOf(255)} ` })).toEqual({ name: textOf(255) })
  expect(complaints(body, { name: ' ' })).toEqual(['Please enter a name'])
  expect(complaints(body, { name: textOf(256) })).toEqual(['Name is too long'])
})

test('the compact form is for programs that ask for it', () => {
  expect(recordings.get.query.parse({})).toEqual({ compact: false })
  expect(recordings.get.query.parse({ compact: '1' })).toEqual({ compact: true })
  expect(recordings.correctSpeakers.query.parse({})).toEqual({ compact: false })
})

describe('corrected speakers', () => {
  const { body } = recordings.correctSpeakers
  const corrections = { names: { 'Speaker A': 'Nadia' }, merged: {}, moved: [] }

  test('are based on a version', () => {
    expect(body.parse({ corrections, version: 0 })).toEqual({ corrections, version: 0 })
    expect(complaints(body, { corrections, version: -1 })).toEqual(['Version is too small'])
  })
})

describe('an exported transcript', () => {
  const { query } = recordings.export

  test('is a text with notes and hits, without marks', () => {
    expect(query.parse({})).toEqual({ format: 'txt', doubt: 'none', notes: true, hits: true, facts: true })
  })

  test.each(['docx', 'dialogue', 'txt', 'srt', 'vtt', 'json'])('may be %s', (format) => {
    expect(query.parse({ format, target_language: 'en', doubt: 'only', notes: 'false', hits: 'true' })).toEqual({
      format,
      target_language: 'en',
      doubt: 'only',
      notes: false,
      hits: true,
      facts: true,
    })
  })

  test.each([
    [{ format: 'pdf' }, 'Format is not valid'],
    [{ target_language: 'eng' }, 'Target language is not valid'],
    [{ doubt: 'all' }, 'Doubt is not valid'],
    [{ notes: 'FALSE' }, 'Notes is not valid'],
    [{ hits: '0' }, 'Hits is not valid'],
    [{ facts: 'no' }, 'Facts is not valid'],
    [{ template: 'Court' }, 'Not a valid id'],
  ])('with %o is refused', (choice, sentence) => {
    expect(complaints(query, choice)).toEqual([sentence])
  })
})

describe('a waveform', () => {
  const { query, response } = recordings.peaks

  test('is of the whole recording, in 1,024 parts', () => {
    expect(query.parse({})).toEqual({ from: 0, bins: 1024 })
    expect(query.parse({ from: '1.5', to: '2', bins: '4096' })).toEqual({ from: 1.5, to: 2, bins: 4096 })
    expect(query.parse({ from: '1000000', to: '1000000', bins: '1' })).toMatchObject({ from: 1_000_000, bins: 1 })
  })

  test.each([
    [{ from: '-1' }, 'From is too small'],
    [{ from: '1000001' }, 'From is too large'],
    [{ to: '-1' }, 'To is too small'],
    [{ to: '1000001' }, 'To is too large'],
    [{ bins: '0' }, 'Bins is too small'],
    [{ bins: '4097' }, 'Bins is too large'],
    [{ bins: '1.5' }, 'Bins is not valid'],
  ])('of %o is refused', (part, sentence) => {
    expect(complaints(query, part)).toEqual([sentence])
  })

  test('has one string per channel', () => {
    const answer = { from: 0, to: 1, bins: 2, channels: ['AAA=', 'AAA='] }
    expect(response.parse(answer)).toEqual(answer)
  })
})

test('the figures of the dashboard are numbers', () => {
  const figures = { totalFiles: 1, totalDuration: 2.5, languagesProcessed: 1 }
  expect(recordings.stats.response.parse(figures)).toEqual(figures)
})
